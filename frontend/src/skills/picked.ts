/* Files that somebody chose or dropped, on their way to become a skill. */

export interface Picked {
  /** With the folders above it, as far as the browser tells of them. */
  path: string;
  file: File;
}

export const MOST_FILES = 200;
export const MOST_BYTES = 20 * 2 ** 20;
const ARCHIVE = /\.(zip|skill|tar|tgz|tbz2?|txz|tar\.(gz|bz2|xz))$/i;
const LEFT_OUT = /(^|\/)(\.git|__MACOSX|\.DS_Store|Thumbs\.db)(\/|$)/i;
const SKILL = /(^|\/)skill\.md$/i;

/** What the form sends: one archive, or files with their paths in the same order. */
export type Sent = { archive: File } | { files: File[]; paths: string[] };

export const fromInput = (files: FileList | null): Picked[] =>
  [...(files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file })).filter(isOurs);

/** Every file of what was dropped, those in folders too. */
export async function fromDrop(dropped: DataTransfer): Promise<Picked[]> {
  // The entries must be taken before anything is waited for: afterwards the browser has emptied the transfer.
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry != null);
  if (!entries.length) return fromInput(dropped.files);
  return (await Promise.all(entries.map(within))).flat().filter(isOurs);
}

async function within(entry: FileSystemEntry): Promise<Picked[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ path: entry.fullPath.replace(/^\//, ""), file }];
  }
  return (await Promise.all((await entriesOf(entry as FileSystemDirectoryEntry)).map(within))).flat();
}

/** A folder tells of its entries a hundred at a time, until it tells of none. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length || found.length > 2 * MOST_FILES) return found;
    found.push(...some);
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isOurs = ({ path }: Picked): boolean => !LEFT_OUT.test(path);

export const isArchive = (picked: Picked[]): boolean => picked.length === 1 && ARCHIVE.test(picked[0]!.file.name);

/** What is wrong with them, as far as it can be seen before they are sent; "" where nothing is. */
export function complaintAbout(picked: Picked[]): string {
  const size = picked.reduce((sum, { file }) => sum + file.size, 0);
  if (size > MOST_BYTES) return "This is more than 20 MiB, the most that a skill may have.";
  if (picked.length > MOST_FILES) return `These are ${picked.length} files; a skill has at most ${MOST_FILES}.`;
  if (picked.length && !isArchive(picked) && !picked.some(({ path }) => SKILL.test(path)))
    return "There is no SKILL.md among these files. A skill is a folder with one, or a zip or tar of it.";
  return "";
}

export const sent = (picked: Picked[]): Sent =>
  isArchive(picked) ? { archive: picked[0]!.file } : { files: picked.map(({ file }) => file), paths: picked.map(({ path }) => path) };

/** What was picked, in a few words: the archive's or the folder's name, else the file's, else how many there are. */
export function named(picked: Picked[]): string {
  const tops = new Set(picked.map(({ path }) => path.split("/")[0]));
  const count = picked.length === 1 ? "1 file" : `${picked.length} files`;
  const [top] = tops;
  if (tops.size !== 1 || !top) return count;
  return picked.length === 1 && picked[0]!.path === top ? top : `${top} (${count})`;
}
