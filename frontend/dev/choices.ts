/* What the API tells of toolsets, workflows and protocols, for the made-up logs. */

import type { Choice, ToolsetChoice, WorkflowChoice } from "../src/toolsets/records";

const toolset = (name: string, title: string, about: string, tools: number, workflow = "react", part_of = ""): ToolsetChoice => ({
  name,
  title,
  about,
  workflow,
  part_of,
  tools,
});

export const TOOLSETS: ToolsetChoice[] = [
  toolset("oats", "OATS", "Tools for every kind of work, each with arguments of its own.", 35),
  toolset("atomic", "Atomic", "Six strong tools: edits by line that cannot land on stale text.", 30),
  toolset("atloop", "atloop", "Plain files and one command line, worked through in phases.", 34, "phased"),
  toolset("alfredo", "Alfredo", "Search-and-replace blocks, and a word for being done.", 31, "verified"),
  toolset("agent_loop", "agent_loop", "Small tools for small models.", 30),
  toolset("agent_loop_v1", "agent_loop v1", "No tools at all.", 0, "react", "agent_loop"),
  toolset("agent_loop_v2", "agent_loop v2", "A calculator and a clock.", 2, "react", "agent_loop"),
];
export const WORKFLOWS: WorkflowChoice[] = [
  { name: "react", title: "React", about: "The agent speaks and uses tools until it is done.", phases: [] },
  { name: "verified", title: "Verified", about: "A plan first, then the work, then a check.", phases: ["plan", "act", "verify"] },
  {
    name: "phased",
    title: "Phased",
    about: "Look around, plan, act, verify; again until it holds.",
    phases: ["discover", "plan", "act", "verify"],
  },
];
export const PROTOCOLS: Choice[] = [
  { name: "native", title: "Function calling", about: "The vendor's own way to call tools." },
  { name: "json", title: "JSON with file sections", about: "Calls as JSON, with what files hold in sections behind it." },
  { name: "xml", title: "XML tags", about: "A call as tags, one a message." },
];
