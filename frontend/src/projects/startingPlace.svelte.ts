/* The project in which something is about to begin: the one chosen or named by the address, else the last opened, else one of the team. */

import { me } from "../accounts/me.svelte";
import { here } from "../router";
import { places } from "./places.svelte";

export class StartingPlace {
  #wanted = $state(here.query.get("project") ?? "");
  /** Where one may begin anything. */
  readonly usable = $derived(places.projects.filter(({ rights }) => rights.includes("prompt")));
  readonly project = $derived(
    this.usable.find(({ id }) => id === this.#wanted) ??
      this.usable.find(({ id }) => id === places.last?.id) ??
      this.usable.find(({ team }) => team.id === me.team?.id) ??
      this.usable[0],
  );

  choose = (id: string): void => void (this.#wanted = id);
}
