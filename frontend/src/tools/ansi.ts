/* Terminal output for a page: colour codes and other escapes taken out, carriage returns obeyed. */

// eslint-disable-next-line no-control-regex
const ESCAPES = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[()][A-Z0-9]|[=>78cDEHM])/g;

export function plain(output: string): string {
  return output.replace(ESCAPES, "").replace(/\r\n/g, "\n").split("\n").map(overwritten).join("\n");
}

/** A progress bar draws over its own line: what was drawn last is what is seen. */
function overwritten(line: string): string {
  if (!line.includes("\r")) return line;
  return line.split("\r").findLast((drawn) => drawn !== "") ?? "";
}
