/* What the pickers offer, in the order in which they offer it. */

import { count } from "../tools/words";
import type { Offer } from "../ui/Choices.svelte";
import type { Choice, ToolsetChoice } from "./records";

/** The toolsets; those that are a smaller set of the chosen one, or of the one it is a part of, stand beneath it. */
export function toolsetOffers(known: readonly ToolsetChoice[], chosen: string): Offer[] {
  const family = known.find(({ name }) => name === chosen)?.part_of || chosen;
  const offers = known
    .filter(({ part_of }) => !part_of)
    .flatMap((one) => {
      const smaller = one.name === family ? known.filter(({ part_of }) => part_of === one.name) : [];
      return [toolsetOffer(one), ...smaller.map((part) => ({ ...toolsetOffer(part), inset: true }))];
    });
  return withChosen(offers, chosen);
}

const toolsetOffer = ({ name, title, about, tools }: ToolsetChoice): Offer => ({
  value: name,
  title: title || name,
  about,
  note: count(tools, "tool"),
});

/** The workflows, and first to leave it to the toolset. */
export const workflowOffers = (known: readonly Choice[], chosen: string, own: string): Offer[] =>
  withChosen([{ value: "", title: `As the toolset has it${own && ` (${own})`}` }, ...known.map(offer)], chosen);

export const protocolOffers = (known: readonly Choice[], chosen: string): Offer[] => withChosen(known.map(offer), chosen);

const offer = ({ name, title, about }: Choice): Offer => ({ value: name, title: title || name, about });

/** What is chosen stays choosable, also where the list could not be had or does not name it any more. */
const withChosen = (offers: Offer[], chosen: string): Offer[] =>
  !chosen || offers.some(({ value }) => value === chosen) ? offers : [{ value: chosen, title: chosen }, ...offers];
