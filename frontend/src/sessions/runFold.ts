/* How the run stands: the part of the state's twin (./apply.ts) that follows a run from its queue to its end. */

import type { Fact, RunView } from "../protocol";

type RunFact = Extract<Fact, { type: `run.${string}` | "stop.asked" }>;

export function runAfter(run: RunView, fact: RunFact, at: string): RunView {
  switch (fact.type) {
    case "run.queued":
      return { run_id: fact.run_id, state: "queued", detail: "", acting_for: fact.acting_for, sandbox: "", stop_asked: false, since: at };
    case "run.started":
      return { ...run, state: "running", sandbox: fact.sandbox, since: at };
    case "run.waiting":
      return { ...run, state: "waiting", since: at };
    case "run.resumed":
    case "run.lost":
      return { ...run, state: "queued", since: at };
    case "stop.asked":
      return { ...run, stop_asked: true };
    case "run.finished":
      return { ...run, state: fact.outcome, detail: fact.detail, stop_asked: false, since: at };
  }
}
