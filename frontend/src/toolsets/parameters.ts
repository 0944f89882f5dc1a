/* A tool's parameters in words, from the JSON Schema that models are given. */

import type { Schema } from "./records";

export interface Parameter {
  /** "todos[].content" for a field of the objects in a list. */
  name: string;
  type: string;
  required: boolean;
  about: string;
  /** What holds where it is left out, as JSON; "" where nothing is said. */
  fallback: string;
}

const WORDS: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "yes or no",
  object: "object",
  null: "nothing",
};
const DEEPEST = 4;

/** Every parameter, each followed by the fields of the objects it holds. */
export const parametersOf = (schema: Schema): Parameter[] => fieldsOf(schema, schema, "", 0);

function fieldsOf(schema: Schema, root: Schema, above: string, depth: number): Parameter[] {
  if (depth >= DEEPEST) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([field, given]) => {
    const inner = resolved(given, root);
    const name = above + field;
    const required = schema.required?.includes(field) ?? false;
    const about = given.description ?? inner.description ?? "";
    return [{ name, type: typeOf(given, root), required, about, fallback: fallbackOf(given) }, ...below(inner, root, name, depth)];
  });
}

/** The fields of an object, of the objects in a list, and of each form that a value may take. */
function below(schema: Schema, root: Schema, name: string, depth: number): Parameter[] {
  const forms = [schema, ...formsOf(schema)].map((form) => resolved(form, root));
  const found = forms.flatMap((form) => [
    ...fieldsOf(form, root, `${name}.`, depth + 1),
    ...(form.items ? fieldsOf(resolved(form.items, root), root, `${name}[].`, depth + 1) : []),
  ]);
  return found.filter((one, at) => found.findIndex((other) => other.name === one.name) === at);
}

const formsOf = (schema: Schema): Schema[] => [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];

function resolved(schema: Schema, root: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return name ? (root.$defs?.[name] ?? {}) : schema;
}

/** "list of text", "“pending” or “completed”". */
function typeOf(given: Schema, root: Schema): string {
  const schema = resolved(given, root);
  if (schema.enum) return either(schema.enum.map(quoted));
  if (schema.const !== undefined) return quoted(schema.const);
  const forms = formsOf(schema).filter(({ type }) => type !== "null");
  if (forms.length) return either([...new Set(forms.map((form) => typeOf(form, root)))]);
  if (schema.type === "array" || schema.items) return `list of ${typeOf(schema.items ?? {}, root)}`;
  return either([schema.type ?? "anything"].flat().map((type) => WORDS[type] ?? type));
}

const quoted = (value: unknown): string => (typeof value === "string" ? `“${value}”` : JSON.stringify(value));
const either = (words: string[]): string => (words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words.at(-1)}` : (words[0] ?? ""));

/** Of what holds where it is left out only what tells something: no emptiness. */
function fallbackOf({ default: value }: Schema): string {
  return value === undefined || value === null || value === "" || JSON.stringify(value) === "[]" ? "" : JSON.stringify(value);
}
