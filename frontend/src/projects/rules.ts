/* Editing a list of rules, where the order is the meaning: the last rule that matches a call decides it. */

import { ApiProblem } from "../api";
import type { Rule, RuleAction } from "./records";

export const ACTIONS: { action: RuleAction; words: string }[] = [
  { action: "allow", words: "Allow" },
  { action: "ask", words: "Ask a person" },
  { action: "deny", words: "Deny" },
];

/** A rule on the page: `key` stays with it when it moves. */
export interface RuleRow extends Rule {
  key: number;
}

let keys = 0;

export const rowsOf = (rules: Rule[]): RuleRow[] => rules.map((rule) => ({ ...rule, key: ++keys }));
export const newRow = (): RuleRow => ({ tool: "", pattern: "*", action: "ask", key: ++keys });
export const rulesOf = (rows: RuleRow[]): Rule[] =>
  rows.map(({ tool, pattern, action }) => ({ tool: tool.trim(), pattern: pattern.trim() || "*", action }));

/** The row at `from` at the place `by` further; the list as it was where that lies outside. */
export function movedBy(rows: RuleRow[], from: number, by: number): RuleRow[] {
  const to = from + by;
  const row = rows[from];
  return row && to >= 0 && to < rows.length ? rows.toSpliced(from, 1).toSpliced(to, 0, row) : rows;
}

export const same = (a: Rule[], b: Rule[]): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What the server said against the rule at this place, "" when nothing. */
export function complaintAbout(at: number, problem: unknown): string {
  const said: unknown = problem instanceof ApiProblem ? problem.fields[at] : undefined;
  return said && typeof said === "object" ? Object.values(said).flat().join(" ") : "";
}
