/* A form on its way to the server: whether it is busy, and what the server said against which field. */

import { ApiProblem } from "../api";

export class Submission {
  busy = $state(false);
  problem = $state<unknown>(null);

  /** Runs `act` unless one is under way. True when it went through; the form keeps what was typed when it did not. */
  async run(act: () => Promise<unknown>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.problem = null;
    try {
      await act();
      return true;
    } catch (error) {
      this.problem = error;
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** What was said against one field, as sentences. */
  errors(field: string): string[] {
    const said: unknown = this.problem instanceof ApiProblem ? this.problem.fields[field] : undefined;
    return said === undefined ? [] : [said].flat(3).map(String);
  }

  /** What is wrong with the whole, "" where the named fields already say it. */
  general(...shown: string[]): string {
    if (!this.problem) return "";
    if (!(this.problem instanceof ApiProblem)) return this.problem instanceof Error ? this.problem.message : "Something went wrong";
    return shown.some((field) => this.errors(field).length) ? "" : this.problem.sentence;
  }
}
