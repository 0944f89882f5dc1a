/* Arguments of a call while the model is still writing them. */

import type { CallItem } from "../sessions/items";
import { argument } from "./words";

/** A string of JSON that may break off anywhere: as far as `name`'s value has been written, "" before it begins. */
export function stringIn(written: string, name: string): string {
  const found = new RegExp(`"${name}"\\s*:\\s*"((?:[^"\\\\]+|\\\\(?:u[0-9a-fA-F]{4}|[^u]))*)`).exec(written)?.[1] ?? "";
  try {
    return JSON.parse(`"${found.replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t")}"`) as string;
  } catch {
    return "";
  }
}

/** An argument that is text, whole or as far as it goes. */
export const given = (call: CallItem, name: string): string => argument(call, name) || stringIn(call.written, name);
