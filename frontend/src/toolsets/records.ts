/* Toolsets, workflows and protocols as the API gives them. */

/** What sets one apart from the others: `about` says it in a line. */
export interface Choice {
  name: string;
  title: string;
  about: string;
}

export interface ToolsetChoice extends Choice {
  /** How its agents work where nobody chooses otherwise. */
  workflow: string;
  /** The toolset of which it is a smaller set, else "". */
  part_of: string;
  /** How many tools it has. */
  tools: number;
}

export interface WorkflowChoice extends Choice {
  /** The phases of one cycle, in order. */
  phases: string[];
}

/** A toolset with everything a model is told of it. */
export interface Toolset extends Omit<ToolsetChoice, "tools"> {
  tools: Tool[];
}

export interface Tool {
  name: string;
  description: string;
  parameters: Schema;
  aliases: string[];
  keywords: string[];
  group: string;
  always_load: boolean;
  strict: boolean;
  read_only: boolean;
  asks: "allow" | "ask";
}

/** As much of JSON Schema as the parameters of tools use. */
export interface Schema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
}
