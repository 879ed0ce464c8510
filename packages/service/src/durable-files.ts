/**
 * Files that survive a power loss. A rename alone does not: the new name can reach the disk before the bytes (the file is
 * empty afterwards), and a name that is only in memory is gone. Each file is written under a temporary name, synced and
 * renamed, and its folder is synced, before anything that depends on it goes on.
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
  /** Temporary name in the same folder. Default: a hidden one made of the file's own name. */
  draft?: string;
}

const OWNER_ONLY = 0o600;
/** A link in place of the temporary file is not followed. */
const DRAFT_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
/** Some file systems cannot sync a folder; there is nothing more to be done on those. */
const NO_FOLDER_SYNC = ['EINVAL', 'ENOTSUP'];

/**
 * Writes a file whole, in place of the one that is there. It is on the disk when this resolves; after a power loss the
 * path has the old content or the new one. One writer a path: the temporary name is always the same, so that nothing
 * accumulates when the power goes.
 */
export async function writeDurably(
  path: string,
  content: string | Uint8Array,
  options?: DurableOptions,
): Promise<void> {
  await replaceDurably(path, (file) => file.writeFile(content), options);
}

/**
 * As {@link writeDurably}, for content that is written piece by piece.
 * @returns what `write` answers; when it throws, the path is as it was
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
    // If the write failed, the removal may fail for the same reason: report the first error.
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Writes a file into a folder that is not in use yet. The caller syncs the folder before using it. */
export async function writeSynced<T>(path: string, mode: number, write: (file: FileHandle) => Promise<T>): Promise<T> {
  await using file = await open(path, DRAFT_FLAGS, mode);
  // The mode of `open` counts for a new file only, and under the mask of the process.
  await file.chmod(mode);
  const result = await write(file);
  await file.sync();
  return result;
}

/** Renames within one folder; durable when it resolves. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
}

/** Makes a folder and those above it; their names are on the disk when this resolves. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode });
  if (first === undefined) return;
  for (const folder of parentsUpTo(path, dirname(first))) await syncFolder(folder);
}

/** Puts the names in a folder on the disk. */
export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync().catch((error: unknown) => passUnsupported(error));
}

/** As {@link writeDurably}, for the start of a process. */
export function writeDurablySync(path: string, content: string, options?: DurableOptions): void {
  const draft = writeDraft(path, content, options);
  renameSync(draft, path);
  syncFolderSync(dirname(path));
}

/** Makes a file that must not be there yet. @throws Error EEXIST, when it is */
export function createDurablySync(path: string, content: string, options?: DurableOptions): void {
  const draft = writeDraft(path, content, options);
  try {
    linkSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolderSync(dirname(path));
}

/** Makes an empty file unless there is one. */
export function ensureFileSync(path: string, mode: number): void {
  if (existsSync(path)) return;
  closeSync(openSync(path, 'a', mode));
  syncFolderSync(dirname(path));
}

/** Puts the names in a folder on the disk, before it returns. */
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
 * Puts the name of a folder, and of each one above it, on the disk: for a folder that another process has just made. Stops
 * at the first one that this user may not read, which this user has not made either.
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

/** Hidden: the resolver of internal names, for one, reads every other file of its folder. */
function draftOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.new`);
}

/** The folders above a path, the nearest first, up to and with the last one. */
function* parentsUpTo(path: string, last: string): Generator<string> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    yield folder;
    if (folder === last || folder === dirname(folder)) return;
  }
}

function passUnsupported(error: unknown): void {
  if (!NO_FOLDER_SYNC.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
}
