/* Where a person's decisions go: to the session that is looked at, or to that of a sub-agent below it. */

import { ApiProblem, post } from "../api";
import { Refusal } from "../outbox";
import type { Command } from "../protocol";
import type { Right } from "./conversation.svelte";

export interface Desk {
  readonly id: string;
  may(right: Right): boolean;
  /** Resolves when it is done; rejects with a `Refusal`. */
  do(command: Command): Promise<unknown>;
}

/** The desk of another session of the same project: no socket is open to it, so commands go by the API. */
export class FarDesk implements Desk {
  constructor(
    readonly id: string,
    private readonly near: Pick<Desk, "may">,
    private readonly done: () => void = () => undefined,
  ) {}

  may(right: Right): boolean {
    return this.near.may(right);
  }

  async do(command: Command): Promise<void> {
    await carryOut(this.id, command);
    this.done();
  }
}

/** One command for any session, by the API. Rejects with a `Refusal`. */
export async function carryOut(session: string, command: Command): Promise<void> {
  await post(`sessions/${session}/commands/`, command).catch((problem: unknown) => {
    throw problem instanceof ApiProblem ? new Refusal(problem) : problem;
  });
}
