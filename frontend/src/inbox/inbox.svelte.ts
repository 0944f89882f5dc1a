/* Everything that waits for people in the sessions one may see: the inbox page, the count in the navigation and in the tab's title. */

import { get, post } from "../api";
import type { ApprovalAsked } from "../protocol";
import type { InboxItem } from "./records";

class Inbox {
  items = $state<InboxItem[]>([]);
  loaded = $state(false);
  problem = $state<unknown>(null);

  /** What this person can decide; the rest waits for somebody else. */
  get mine(): InboxItem[] {
    return this.items.filter((item) => item.may_decide);
  }

  async load(): Promise<void> {
    try {
      this.items = await get<InboxItem[]>("inbox/");
      this.problem = null;
      this.loaded = true;
    } catch (error) {
      this.problem = error;
    }
  }

  /** Says yes or no to one approval. A conflict (somebody was faster) is thrown for the caller to show. */
  async decide(item: InboxItem, approval: ApprovalAsked, verdict: "allow" | "deny", reason = ""): Promise<void> {
    const path = `sessions/${item.session.id}/approvals/${approval.approval_id}/decide/`;
    try {
      await post(path, { hash: approval.hash, verdict, scope: "once", reason });
      this.items = this.items.filter((other) => other.ask.call_id !== approval.call_id);
    } finally {
      void this.load();
    }
  }
}

export const inbox = new Inbox();
