/* The tab's title: what the page says it is, with how much waits for a person in front. */

class Title {
  text = $state("");
}

export const title = new Title();

export function tabTitle(text: string, waiting: number): string {
  const name = text ? `${text} · Countersign` : "Countersign";
  return waiting ? `(${waiting}) ${name}` : name;
}
