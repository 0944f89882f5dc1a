/* The background jobs of a made-up log, laid over its state. */

import type { SessionState, WireEntry } from "../src/protocol";
import type { Job } from "../src/sessions/jobs";

const BEGUN = { state: "running", exit_code: null, error: "", seconds: 0, artifact: null } as const;

export function withJobs(entries: readonly WireEntry[], state: SessionState): SessionState {
  const jobs = entries.flatMap(({ fact, at }): Job[] => {
    if (fact.type !== "job.started") return [];
    const end = entries.map((entry) => entry.fact).find((other) => other.type === "job.finished" && other.job_id === fact.job_id);
    return [{ ...fact, began: at, ...BEGUN, ...(end?.type === "job.finished" ? end : {}) }];
  });
  return { ...state, jobs } as SessionState;
}
