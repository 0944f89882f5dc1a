/* Something that waits for a person, with where it waits. */

import type { OpenAsk } from "../protocol";

export interface InboxItem {
  session: { id: string; title: string };
  project: { id: string; name: string };
  ask: OpenAsk;
  /** Whether the person signed in may decide it. */
  may_decide: boolean;
}
