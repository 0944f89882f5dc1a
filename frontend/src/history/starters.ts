/* First words for a session: those that the scripted demo has answers for, and those that suit any project with a real model. */

export interface Starter {
  title: string;
  prompt: string;
}

const DEMO: Starter[] = [
  {
    title: "Fix the failing test",
    prompt: "One test of this project fails. Find out why, and fix it.",
  },
  {
    title: "Just say hello",
    prompt: "Hello!",
  },
];

const ANY: Starter[] = [
  {
    title: "Fix a failing test",
    prompt: "Run the tests, find out why one fails, and propose a plan to fix it before you change anything.",
  },
  {
    title: "Explain this project",
    prompt: "Read the project and explain in a few paragraphs what it does, how it is laid out, and where you would start reading.",
  },
  {
    title: "Review what changed",
    prompt: "Look at the changes that are not committed yet and review them: mistakes, missing tests, unclear names.",
  },
];

export const startersFor = (provider: string): Starter[] => (provider === "scripted" ? DEMO : ANY);
