/* What Atomic's tools keep of a call besides its text, as the page reads it. Every field may be missing: the call may have failed, or be old. */

import type { CallItem } from "../../sessions/items";
import { callArgs } from "../../sessions/items";
import { metadata } from "../words";

export interface EditedSection {
  path: string;
  tag?: string;
  warnings?: string[];
  blocks?: string[];
  firstChangedLine?: number | null;
  recovered?: boolean | string | null;
}

export interface Table {
  columns: string[];
  rows: unknown[][];
}

const objects = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "object" && one !== null) : [];

export const words = (value: unknown): string => (typeof value === "string" ? value : "");

export const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

export const sectionsIn = (call: CallItem): EditedSection[] =>
  objects(metadata(call, "sections")).map((one) => ({ ...one, path: words(one["path"]) }));

export function tableIn(call: CallItem): Table | null {
  const table = metadata(call, "table") as Partial<Table> | undefined;
  if (!table || !Array.isArray(table.columns) || !Array.isArray(table.rows)) return null;
  return { columns: texts(table.columns), rows: table.rows.map((row) => (Array.isArray(row) ? (row as unknown[]) : [row])) };
}

/** A path, or several, as they were given. */
export const pathsGiven = (call: CallItem): string[] => {
  const paths = callArgs(call)["paths"] ?? callArgs(call)["path"];
  return Array.isArray(paths) ? paths.map(String) : typeof paths === "string" && paths ? [paths] : [];
};

const GIVEN: Record<string, string> = { read: "path", write: "path", edit: "input", find: "paths", search: "pattern" };

/** Whether a call is Atomic's, where several toolsets have tools of its name: by what it was given, or else by what its session uses. */
export function isAtomic(call: CallItem, toolset: string): boolean {
  const names = Object.keys(callArgs(call));
  const own = GIVEN[call.tool];
  if (own && names.length) return names.includes(own);
  return toolset === "atomic" || !own;
}
