/* Putting words on the clipboard. */

/** By the browser's clipboard or, where the page is not served over HTTPS, by a selection. False when neither is allowed. */
export async function copyText(words: string): Promise<boolean> {
  if (navigator.clipboard)
    return navigator.clipboard.writeText(words).then(
      () => true,
      () => false,
    );
  const area = document.createElement("textarea");
  area.value = words;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}
