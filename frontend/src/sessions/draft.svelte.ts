/* What is being written in a session: to the agent, or to the people who watch it. It outlives a reload of the tab. */

import { toasts } from "../shell/toasts.svelte";
import type { Conversation } from "./conversation.svelte";

export const LONGEST = 100_000;

export class Draft {
  text = $state("");
  aside = $state(false);
  readonly #key: string;

  constructor(private readonly session: Conversation) {
    this.#key = `draft:${session.id}`;
    this.text = sessionStorage.getItem(this.#key) ?? "";
  }

  keep(): void {
    sessionStorage.setItem(this.#key, this.text);
  }

  /** Whether it goes to people: by choice, or because this person may only comment. */
  get toPeople(): boolean {
    return this.session.may("comment") && (this.aside || !this.session.may("prompt"));
  }

  /** Why nothing can be written here; "" where something can. */
  get refusal(): string {
    if (this.session.stream.state === "gone") return "This session is closed to you.";
    if (this.session.state.archived) return "The session is archived.";
    if (this.session.may("prompt") || this.session.may("comment")) return "";
    return "You may watch here, but not write. An admin of the team can change that.";
  }

  get ready(): boolean {
    return !this.refusal && this.text.trim() !== "" && this.text.length <= LONGEST;
  }

  send(): boolean {
    if (!this.ready) return false;
    const text = this.text.trim();
    this.text = "";
    if (this.toPeople) this.#remark(text);
    else this.session.messages.say(text);
    return true;
  }

  #remark(text: string): void {
    this.session.do({ command: "add_comment", text, about: null }).catch((refusal: unknown) => {
      toasts.trouble(refusal);
      if (!this.text) this.text = text;
    });
  }

  /** Bring back what this person said to the agent last. */
  recall(): boolean {
    const me = this.session.crowd.me?.id;
    const last = this.session.transcript.items.findLast((item) => item.kind === "user" && item.by === me);
    if (this.text || last?.kind !== "user") return false;
    this.text = last.fact.text;
    return true;
  }
}
