import { expect, test } from "vitest";
import { complaintAbout, fromDrop, fromInput, MOST_FILES, named, sent, type Picked } from "./picked";

const picked = (path: string, text = "x"): Picked => ({ path, file: new File([text], path.split("/").at(-1)!) });
const SKILL = picked("release/SKILL.md");

/** A dropped entry as browsers give it; folders tell of their entries in two helpings. */
function entry(path: string, inside?: object[]): object {
  const fullPath = `/${path}`;
  if (!inside) return { isFile: true, fullPath, file: (done: (file: File) => void) => done(new File(["x"], path.split("/").at(-1)!)) };
  const helpings = [inside.slice(0, 1), inside.slice(1), []].filter((some, at) => some.length || at === 2);
  return {
    isFile: false,
    fullPath,
    createReader: () => ({ readEntries: (done: (some: object[]) => void) => done(helpings.shift() ?? []) }),
  };
}

const dropped = (...entries: object[]): DataTransfer =>
  ({ items: entries.map((one) => ({ webkitGetAsEntry: () => one })), files: [] }) as unknown as DataTransfer;

test("a folder that is dropped comes with all its files, and without what systems add", async () => {
  const folder = entry("release", [
    entry("release/SKILL.md"),
    entry("release/.DS_Store"),
    entry("release/references", [entry("release/references/a.md"), entry("release/references/b.md")]),
    entry("release/.git", [entry("release/.git/config")]),
  ]);
  expect((await fromDrop(dropped(folder))).map(({ path }) => path)).toEqual([
    "release/SKILL.md",
    "release/references/a.md",
    "release/references/b.md",
  ]);
});

test("a browser that tells of no folders still gives the files", async () => {
  const files = [new File(["x"], "SKILL.md")];
  const transfer = { items: [{}], files } as unknown as DataTransfer;
  expect((await fromDrop(transfer)).map(({ path }) => path)).toEqual(["SKILL.md"]);
});

test("a chosen folder's files keep their paths", () => {
  const file = new File(["x"], "SKILL.md");
  Object.defineProperty(file, "webkitRelativePath", { value: "release/SKILL.md" });
  expect(fromInput([file] as unknown as FileList)[0]?.path).toBe("release/SKILL.md");
  expect(fromInput(null)).toEqual([]);
});

test.each(["a.zip", "A.ZIP", "a.tar", "a.tar.gz", "a.tgz", "a.tar.xz", "a.skill"])("%s alone is sent as an archive", (name) => {
  const one = [picked(name)];
  expect(complaintAbout(one)).toBe("");
  expect(sent(one)).toEqual({ archive: one[0]!.file });
});

test("files are sent with their paths in the same order", () => {
  const two = [SKILL, picked("release/a.zip")];
  expect(sent(two)).toEqual({ files: two.map(({ file }) => file), paths: ["release/SKILL.md", "release/a.zip"] });
});

test("what cannot be a skill is told before it is sent", () => {
  expect(complaintAbout([])).toBe("");
  expect(complaintAbout([SKILL])).toBe("");
  expect(complaintAbout([picked("README.md")])).toContain("no SKILL.md");
  expect(complaintAbout([SKILL, ...Array.from({ length: MOST_FILES }, (_, at) => picked(`release/${at}`))])).toContain("201 files");
  const big = { size: 21 * 2 ** 20, name: "a.zip" } as File;
  expect(complaintAbout([{ path: "a.zip", file: big }])).toContain("20 MiB");
});

test("what was picked is named by its folder, its file, or its number", () => {
  expect(named([picked("a.zip")])).toBe("a.zip");
  expect(named([SKILL, picked("release/a.md")])).toBe("release (2 files)");
  expect(named([SKILL])).toBe("release (1 file)");
  expect(named([picked("SKILL.md"), picked("a.md")])).toBe("2 files");
});
