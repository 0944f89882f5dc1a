/* First words for a session. The demo's scripts answer to theirs; the others suit any project. */

export interface Starter {
  title: string;
  prompt: string;
}

export const STARTERS: Starter[] = [
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
