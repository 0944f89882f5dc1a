/* Who speaks in a session and how it works, as a form holds it while somebody chooses. */

import { choices } from "./choices.svelte";

export interface Given {
  provider: string;
  model: string;
  toolset: string;
  workflow: string;
  protocol: string;
}

export class How implements Given {
  provider = $state("");
  model = $state("");
  workflow = $state("");
  protocol = $state("");
  /** Whether the provider chosen can be used now. */
  ready = $state(true);
  #toolset = $state("");
  readonly #given: Given;

  constructor(given: Given) {
    this.#given = given;
    ({ provider: this.provider, model: this.model, workflow: this.workflow, protocol: this.protocol } = given);
    this.#toolset = given.toolset;
  }

  get toolset(): string {
    return this.#toolset;
  }

  /** Another toolset works in its own way, until somebody chooses otherwise. */
  set toolset(name: string) {
    this.#toolset = name;
    this.workflow = name === this.#given.toolset ? this.#given.workflow : "";
  }

  /** What was chosen; the workflow may be left to the toolset. */
  get chosen(): Given {
    const { provider, model, toolset, workflow, protocol } = this;
    return { provider, model: model.trim(), toolset, workflow, protocol };
  }

  /** What was chosen, the workflow by its name. */
  get resolved(): Given {
    return { ...this.chosen, workflow: choices.inForce(this.workflow, this.toolset) };
  }
}
