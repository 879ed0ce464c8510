/**
 * Writes files that survive a power loss. A rename alone is not sufficient. The new name may reach the disk before the
 * content, which leaves an empty file, or may exist only in memory. Therefore each file is written under a temporary
 * name, synced and renamed, and then its folder is synced. Only after that may dependent work continue.
 */
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export interface DurableOptions {
  /** Permissions of the file. Default: 0600. */
  mode?: number;
  /** Temporary name in the same folder. Default: a hidden name derived from the name of the file. */
  draft?: string;
}

const OWNER_ONLY = 0o600;
/** A symbolic link with the temporary name is not followed. */
const DRAFT_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
/** Errors of file systems that cannot sync a folder. There is no alternative on such file systems. */
const NO_FOLDER_SYNC = ['EINVAL', 'ENOTSUP'];

/**
 * Writes a complete file and replaces an existing one. The file is on the disk when the promise resolves. After a power
 * loss the path has either the old or the new content. Each path must have only one writer: the temporary name is
 * always the same, so that power losses leave at most one temporary file.
 */
export async function writeDurably(
  path: string,
  content: string | Uint8Array,
  options?: DurableOptions,
): Promise<void> {
  await replaceDurably(path, (file) => file.writeFile(content), options);
}

/**
 * Writes a file like {@link writeDurably}, but in several parts.
 * @returns the result of `write`. If `write` throws, the path is not changed
 */
export async function replaceDurably<T>(
  path: string,
  write: (file: FileHandle) => Promise<T>,
  { mode = OWNER_ONLY, draft = draftOf(path) }: DurableOptions = {},
): Promise<T> {
  try {
    const result = await writeSynced(draft, mode, write);
    await rename(draft, path);
    await syncFolder(dirname(path));
    return result;
  } catch (error) {
    // If the write failed, the removal may fail for the same reason, so the first error is reported.
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Writes a file into a folder that is not in use yet. The caller syncs the folder before using it. */
export async function writeSynced<T>(path: string, mode: number, write: (file: FileHandle) => Promise<T>): Promise<T> {
  await using file = await open(path, DRAFT_FLAGS, mode);
  // The mode of `open` applies only to a new file, and only together with the umask of the process.
  await file.chmod(mode);
  const result = await write(file);
  await file.sync();
  return result;
}

/** Renames a file within one folder. The new name is on the disk when the promise resolves. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
}

/** Creates a folder and its parents. Their names are on the disk when the promise resolves. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode });
  if (first === undefined) return;
  for (const folder of parentsUpTo(path, dirname(first))) await syncFolder(folder);
}

/** Writes the names in a folder to the disk. */
export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync().catch((error: unknown) => passUnsupported(error));
}

/** Writes a file like {@link writeDurably}, but synchronously, for the start of a process. */
export function writeDurablySync(path: string, content: string, options?: DurableOptions): void {
  const draft = writeDraft(path, content, options);
  renameSync(draft, path);
  syncFolderSync(dirname(path));
}

/**
 * Creates a file that must not exist yet.
 * @throws Error EEXIST if the file exists
 */
export function createDurablySync(path: string, content: string, options?: DurableOptions): void {
  const draft = writeDraft(path, content, options);
  try {
    linkSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolderSync(dirname(path));
}

/** Creates an empty file if the file does not exist. */
export function ensureFileSync(path: string, mode: number): void {
  if (existsSync(path)) return;
  closeSync(openSync(path, 'a', mode));
  syncFolderSync(dirname(path));
}

/** Writes the names in a folder to the disk synchronously. */
export function syncFolderSync(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } catch (error) {
    passUnsupported(error);
  } finally {
    closeSync(folder);
  }
}

/**
 * Writes the name of a folder and of all its parents to the disk, for a folder that another process has just created.
 * Stops at the first parent that the user cannot read, because the user did not create that parent.
 */
export function syncPathSync(path: string): void {
  try {
    for (const folder of parentsUpTo(path, '/')) syncFolderSync(folder);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EACCES', 'EPERM'].includes(code)) throw error;
  }
}

function writeDraft(path: string, content: string, options: DurableOptions = {}): string {
  const { mode = OWNER_ONLY, draft = draftOf(path) } = options;
  const file = openSync(draft, DRAFT_FLAGS, mode);
  try {
    fchmodSync(file, mode);
    const bytes = Buffer.from(content);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return draft;
}

/**
 * Returns a hidden name. Some programs, such as the resolver of internal names, read all other files of their folder.
 */
function draftOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.new`);
}

/** Yields the parents of a path, the nearest first, up to and including `last`. */
function* parentsUpTo(path: string, last: string): Generator<string> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    yield folder;
    if (folder === last || folder === dirname(folder)) return;
  }
}

function passUnsupported(error: unknown): void {
  if (!NO_FOLDER_SYNC.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
}
