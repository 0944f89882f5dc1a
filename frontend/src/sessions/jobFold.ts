/* What facts do to the background jobs in a session's state: the jobs' part of `stateAfter`. */

import type { JobFinished, JobStarted, JobView } from "../protocol";

const MOST_JOBS = 20;

/** The jobs without the oldest that have ended, where one more would be too many. */
export function jobsWithRoom(jobs: readonly JobView[]): JobView[] {
  const past = jobs.filter((job) => job.state !== "running");
  const gone = past.slice(0, Math.max(0, jobs.length + 1 - MOST_JOBS));
  return jobs.filter((job) => !gone.includes(job));
}

export function begun({ job_id, call_id, command, terminal }: JobStarted, began: string): JobView {
  return { job_id, call_id, command, state: "running", terminal, began, exit_code: null, error: "", seconds: 0, artifact: null };
}

export function ended(job: JobView, { state, error, exit_code, seconds, artifact }: JobFinished): JobView {
  return { ...job, state, error, exit_code, seconds, artifact };
}
