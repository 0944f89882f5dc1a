/* Background jobs: commands that go on after their call has ended, as a session's page shows them. */

import { get, post } from "../api";
import type { SessionState } from "../protocol";
import type { Tone } from "../ui/Pill.svelte";
import type { IconName } from "../ui/icons";

/** A job as a session's state holds it. `seconds` is how long it took, `artifact` the number of its whole output; both once it has ended. */
export interface Job {
  job_id: string;
  call_id: string;
  command: string;
  state: "running" | "completed" | "failed" | "lost";
  terminal: boolean;
  began: string;
  exit_code: number | null;
  error: string;
  seconds: number;
  artifact: number | null;
}

/** What its own address tells of a job besides: all it has printed so far. */
export type JobOutput = { output: string };

export const jobsOf = (state: SessionState): readonly Job[] => (state as SessionState & { jobs?: readonly Job[] }).jobs ?? [];

export const readJob = (session: string, job_id: string): Promise<JobOutput> => get<JobOutput>(`sessions/${session}/jobs/${job_id}/`);

export const cancelJob = (session: string, job_id: string): Promise<unknown> => post(`sessions/${session}/jobs/${job_id}/cancel/`);

/** How a job stands, in words and a shape. A canceled one failed because somebody aborted it. */
export function jobStatus(job: Pick<Job, "state" | "error" | "exit_code">): { words: string; tone: Tone; icon: IconName | null } {
  if (job.state === "running") return { words: "Running", tone: "accent", icon: null };
  if (job.state === "completed") return { words: "Done", tone: "ok", icon: "check" };
  if (job.state === "lost") return { words: "Lost", tone: "warn", icon: "alert" };
  if (job.error === "aborted") return { words: "Canceled", tone: "neutral", icon: "stop" };
  return { words: job.exit_code ? `Exit ${job.exit_code}` : "Failed", tone: "danger", icon: "close" };
}
