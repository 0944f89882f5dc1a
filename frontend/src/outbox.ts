/* Commands on their way: each has a number and a promise, is kept until it is answered, and is sent again after a reconnect. */

import type { Command, Done, Person, Problem, Refused } from "./protocol";

/** Why a command was refused, as an error to catch. */
export class Refusal extends Error {
  readonly kind: Problem["kind"];
  readonly detail: string;
  readonly by: Person | null;

  constructor({ kind, title, detail, by }: Problem) {
    super(title);
    this.name = "Refusal";
    this.kind = kind;
    this.detail = detail;
    this.by = by;
  }

  get sentence(): string {
    return this.detail && this.detail !== this.message ? `${this.message.replace(/[.:]$/, "")}: ${this.detail}` : this.message;
  }

  /** The same of a decision, which somebody else may have made first. */
  get decision(): string {
    return this.by ? `${this.by.name} decided first. ${this.detail}` : this.sentence;
  }
}

interface Pending {
  command: Command;
  sent: number;
  resolve: (done: Done) => void;
  reject: (refusal: Refusal) => void;
}

/** Commands that would be done twice when they are sent twice. */
const ONCE_ONLY: ReadonlySet<Command["command"]> = new Set(["add_comment", "comment_plan"]);

export class Outbox {
  #pending = new Map<string, Pending>();

  constructor(private readonly transmit: (envelope: { id: string; command: Command }) => boolean) {}

  get waiting(): boolean {
    return this.#pending.size > 0;
  }

  /** Resolves when the server has done it; rejects with a `Refusal`. While offline it waits for the connection. */
  send(command: Command): Promise<Done> {
    const id = newId();
    return new Promise((resolve, reject) => {
      const pending: Pending = { command, sent: 0, resolve, reject };
      this.#pending.set(id, pending);
      this.#offer(id, pending);
    });
  }

  answered(frame: Done | Refused, me: Person | null): void {
    const pending = this.#pending.get(frame.id);
    if (!pending) return;
    this.#pending.delete(frame.id);
    if (frame.type === "done") pending.resolve(frame);
    else if (isOurOwn(frame, pending, me)) pending.resolve({ type: "done", id: frame.id, head: 0 });
    else pending.reject(new Refusal(frame.problem));
  }

  /** A new connection is up: what was not answered goes out again, unless that could do it twice. */
  reconnected(): void {
    for (const [id, pending] of this.#pending) {
      if (pending.sent && ONCE_ONLY.has(pending.command.command)) this.#refuse(id, pending, LOST);
      else this.#offer(id, pending);
    }
  }

  /** The session is closed to this person: nothing that waits will be done. */
  abandon(): void {
    for (const [id, pending] of this.#pending) this.#refuse(id, pending, CLOSED);
  }

  #offer(id: string, pending: Pending): void {
    if (this.transmit({ id, command: pending.command })) pending.sent++;
  }

  #refuse(id: string, pending: Pending, problem: Problem): void {
    this.#pending.delete(id);
    pending.reject(new Refusal(problem));
  }
}

/** Sent twice and refused because of the first time: then it is done. */
function isOurOwn(frame: Refused, pending: Pending, me: Person | null): boolean {
  return frame.problem.kind === "conflict" && pending.sent > 1 && me !== null && frame.problem.by?.id === me.id;
}

const LOST: Problem = {
  kind: "unavailable",
  title: "The connection dropped before the server answered",
  detail: "Look whether it arrived before you send it again.",
  by: null,
};
const CLOSED: Problem = { kind: "forbidden", title: "This session is closed to you", detail: "", by: null };

/** A random id that also works where the page is not served over HTTPS. */
export function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
