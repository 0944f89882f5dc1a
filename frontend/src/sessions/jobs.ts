/* Background jobs: commands that go on after their call has ended, as a session's page shows them. */

import { get, post } from "../api";
import type { JobView } from "../protocol";
import type { Tone } from "../ui/Pill.svelte";
import type { IconName } from "../ui/icons";
import { type Growth, grown } from "./live";

/** What its own address tells of a job besides: all it has printed so far. */
export type JobOutput = { output: string };

export const readJob = (session: string, job_id: string): Promise<JobOutput> => get<JobOutput>(`sessions/${session}/jobs/${job_id}/`);

export const cancelJob = (session: string, job_id: string): Promise<unknown> => post(`sessions/${session}/jobs/${job_id}/cancel/`);

/** What has been read and what came live since, as one text; null while there is neither. Of a terminal the two do not fit together. */
export function printed(read: Growth | null, live: Growth | undefined, terminal: boolean): string | null {
  if (live && (!read || live.start === 0)) return live.text;
  if (!read || !live || terminal) return read?.text ?? null;
  return live.start > read.end ? `${read.text}\n…\n${live.text}` : grown(read, live.start, live.text).text;
}

/** How a job stands, in words and a shape. A canceled one failed because somebody aborted it. */
export function jobStatus(job: Pick<JobView, "state" | "error" | "exit_code">): { words: string; tone: Tone; icon: IconName | null } {
  if (job.state === "running") return { words: "Running", tone: "accent", icon: null };
  if (job.state === "completed") return { words: "Done", tone: "ok", icon: "check" };
  if (job.state === "lost") return { words: "Lost", tone: "warn", icon: "alert" };
  if (job.error === "aborted") return { words: "Canceled", tone: "neutral", icon: "stop" };
  return { words: job.exit_code ? `Exit ${job.exit_code}` : "Failed", tone: "danger", icon: "close" };
}
