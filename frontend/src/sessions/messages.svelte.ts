/* Messages on their way to the agent: shown at once, gone when their fact lands, kept with the reason when they are refused. */

import { newId, type Refusal } from "../outbox";
import type { Command, Done, WireEntry } from "../protocol";

export interface Sending {
  message_id: string;
  text: string;
  refused: string;
}

export class Messages {
  sending = $state.raw<readonly Sending[]>([]);

  constructor(private readonly carry: (command: Command) => Promise<Done>) {}

  /** Say it, or say it again under the same id, which the server takes once. */
  say(text: string, message_id = newId()): void {
    this.take(message_id);
    this.sending = [...this.sending, { message_id, text, refused: "" }];
    this.carry({ command: "send_message", message_id, text }).catch((refusal: Refusal) => this.#mark(message_id, refusal.sentence));
  }

  /** Take a refused message back; gives its text. */
  take(message_id: string): string {
    const taken = this.sending.find((message) => message.message_id === message_id);
    this.sending = this.sending.filter((message) => message !== taken);
    return taken?.text ?? "";
  }

  landed(entries: readonly WireEntry[]): void {
    if (!this.sending.length) return;
    const said = new Set(entries.map(({ fact }) => (fact.type === "user.spoke" ? fact.message_id : "")));
    this.sending = this.sending.filter((message) => !said.has(message.message_id));
  }

  #mark(message_id: string, refused: string): void {
    this.sending = this.sending.map((message) => (message.message_id === message_id ? { ...message, refused } : message));
  }
}
