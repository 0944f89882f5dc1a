/* What a session can be given: the toolsets, workflows and protocols there are. Fetched once, when somebody first needs them. */

import { get } from "../api";
import type { Choice, ToolsetChoice, WorkflowChoice } from "./records";

export class Choices {
  toolsets = $state<ToolsetChoice[]>([]);
  workflows = $state<WorkflowChoice[]>([]);
  protocols = $state<Choice[]>([]);
  /** Why they are not here, once they could not be had. */
  problem = $state.raw<unknown>(null);
  #asked: Promise<void> | null = null;

  /** Fetches them unless they are here or on their way. Where that fails, names stand in for titles and the next call tries again. */
  load(): Promise<void> {
    if (this.loaded) return Promise.resolve();
    this.#asked ??= this.#fetch()
      .catch((error: unknown) => void (this.problem = error))
      .finally(() => (this.#asked = null));
    return this.#asked;
  }

  get loaded(): boolean {
    return this.toolsets.length > 0;
  }

  async #fetch(): Promise<void> {
    this.problem = null;
    [this.toolsets, this.workflows, this.protocols] = await Promise.all([
      get<ToolsetChoice[]>("toolsets/brief/"),
      get<WorkflowChoice[]>("workflows/"),
      get<Choice[]>("protocols/"),
    ]);
  }

  toolset(name: string): ToolsetChoice | undefined {
    return this.toolsets.find((one) => one.name === name);
  }

  workflow(name: string): WorkflowChoice | undefined {
    return this.workflows.find((one) => one.name === name);
  }

  /** The workflow that holds: what was chosen, else the toolset's own; "" where that is not known. */
  inForce(workflow: string, toolset: string): string {
    return workflow || (this.toolset(toolset)?.workflow ?? "");
  }

  toolsetTitle = (name: string): string => this.toolset(name)?.title || name;
  workflowTitle = (name: string): string => this.workflow(name)?.title || name;
  protocolTitle = (name: string): string => this.protocols.find((one) => one.name === name)?.title || name;
}

export const choices = new Choices();
