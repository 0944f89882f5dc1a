// Turns the JSON Schema of the wire (on stdin) into src/protocol.ts (on stdout):
//   python manage.py export_protocol | node frontend/scripts/protocol.mjs > frontend/src/protocol.ts
// The schema holds every model under `$defs`; which models are facts, notes, frames and commands is read off the
// unions where they are used. Every field is required: both sides always write them all.
import { readFileSync } from "node:fs";

const { $defs } = JSON.parse(readFileSync(0, "utf8"));
const named = new Map();

function nameUnion(name, schema) {
  const members = schema.oneOf.map(typeOf);
  named.set(members.join(" | "), name);
  return `export type ${name} =\n${members.map((member) => `  | ${member}`).join("\n")};`;
}

function typeOf(schema) {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return unionOf(choices.map(typeOf));
  if (schema.type === "array") return arrayOf(typeOf(schema.items));
  if (schema.type === "object") return "Record<string, unknown>";
  return { integer: "number", number: "number", string: "string", boolean: "boolean", null: "null" }[schema.type] ?? "unknown";
}

function unionOf(members) {
  const text = members.join(" | ");
  return named.get(text) ?? text;
}

function arrayOf(item) {
  return `readonly ${item.includes("|") ? `(${item})` : item}[]`;
}

function interfaceOf([name, schema]) {
  const fields = Object.entries(schema.properties ?? {}).map(([field, type]) => `  ${field}: ${typeOf(type)};`);
  return `${comment(schema.description)}export interface ${name} {\n${fields.join("\n")}\n}`;
}

function comment(text) {
  return text ? `/** ${text.trim().replaceAll("\n", "\n * ").replaceAll("*/", "* /")} */\n` : "";
}

const part = nameUnion("Part", $defs.AgentSpoke.properties.parts.items);
const fact = nameUnion("Fact", $defs.WireEntry.properties.fact);
const note = nameUnion("Note", $defs.Notes.properties.notes.items);
const command = nameUnion("Command", $defs.Envelope.properties.command);
const isFrame = ([name, schema]) => schema.properties?.type?.const && ![...named.keys()].some((key) => key.split(" | ").includes(name));
const frames = Object.entries($defs)
  .filter(isFrame)
  .map(([name]) => ({ $ref: name }));
const frame = nameUnion("Frame", { oneOf: frames });

console.log("// Generated from workspace/sessions/protocol.py by scripts/protocol.mjs. Do not edit.\n");
console.log([...Object.entries($defs).map(interfaceOf), part, fact, note, command, frame].join("\n\n"));
