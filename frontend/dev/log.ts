/* The made-up logs, by the name they have in the address: `?log=…`. */

import type { Note, Person } from "../src/protocol";
import { AGENTS, CHILDREN } from "./agents";
import { ATOMIC } from "./atomic";
import { FULL_SCREEN } from "./atomicTexts";
import { KINDS } from "./kinds";
import { PLANNING } from "./planning";
import type { Said } from "./say";
import { WORK } from "./work";
import { PHASED, VERIFIED } from "./workflows";

export const PEOPLE: Person[] = [
  { id: "alice", name: "Alice Moreau" },
  { id: "bob", name: "Bob Tanaka" },
];

export const LOGS: Record<string, Said[]> = {
  comma: [...PLANNING, ...WORK],
  agents: AGENTS,
  kinds: KINDS,
  atomic: ATOMIC,
  verified: VERIFIED,
  phased: PHASED,
  ...CHILDREN,
};

export const NOTES: Note[] = [
  { type: "output.grew", call_id: "t22", at: 0, text: FULL_SCREEN },
  {
    type: "job.grew",
    job_id: "job-2",
    at: 0,
    text: "\u001b[1mepoch 1/30\u001b[0m  loss \u001b[32m0.412\u001b[0m\r\nepoch 2/30  loss 0.398\r\n",
  },
  { type: "output.grew", call_id: "c13", at: 0, text: "test_comma ... ok\ntest_empty ... ok\ntest_nested ... " },
  { type: "text.grew", reply_id: "a10", part: 0, at: 0, text: "All tests pass. Next I write the **changelog** entry, which sa" },
];
