/**
 * Writes files that survive a power loss. Writes to a temporary name, syncs, renames the file, and syncs the folder.
 * Without these syncs, the file could be empty or old after a power loss.
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
  /** Permissions of the written file. With the default 0600, only the owner can read and write the file. */
  mode?: number;
  /**
   * Temporary name in the same folder as the file. By default, this is a hidden name that contains the name of the
   * file.
   */
  draft?: string;
}

const OWNER_ONLY = 0o600;
/**
 * Flags for opening a temporary file. `O_NOFOLLOW` refuses a symbolic link. A write through a symbolic link could
 * overwrite another file.
 */
const DRAFT_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
/**
 * Error codes of file systems that do not support fsync of a folder. These errors are ignored, because a folder cannot
 * be synced in another way.
 */
const NO_FOLDER_SYNC = ['EINVAL', 'ENOTSUP'];

/**
 * Writes a file to the disk. After a power loss, the file has either the old or the new content. Each path must have
 * only one writer, because the temporary name is fixed.
 */
export async function writeDurably(
  path: string,
  content: string | Uint8Array,
  options?: DurableOptions,
): Promise<void> {
  await replaceDurably(path, (file) => file.writeFile(content), options);
}

/**
 * Writes a complete file in several parts. If `write` throws an error, the existing file does not change.
 * @returns the result of `write`
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
    // Delete the temporary file. Ignore an error of the deletion, because the caller needs the error of the write.
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Writes a file and syncs its content, but not its folder. The caller must sync the folder before it uses the file. */
export async function writeSynced<T>(path: string, mode: number, write: (file: FileHandle) => Promise<T>): Promise<T> {
  await using file = await open(path, DRAFT_FLAGS, mode);
  // Set the permissions again. `open` sets the permissions only for a new file, and the umask removes some permissions.
  await file.chmod(mode);
  const result = await write(file);
  await file.sync();
  return result;
}

/** Renames a file within a folder. When the promise resolves, the new name is on the disk. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
}

/**
 * Creates a folder and its missing parent folders. The new folders are synced to the disk before the promise resolves,
 * so that they survive a power loss.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode });
  if (first === undefined) return;
  for (const folder of parentsUpTo(path, dirname(first))) await syncFolder(folder);
}

/** Syncs a folder to the disk. New, renamed and removed files in the folder then survive a power loss. */
export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync().catch((error: unknown) => passUnsupported(error));
}

/**
 * Writes a complete file durably and synchronously. An existing file is replaced. Use this function only during the
 * start of a process.
 */
export function writeDurablySync(path: string, content: string, options?: DurableOptions): void {
  const draft = writeDraft(path, content, options);
  renameSync(draft, path);
  syncFolderSync(dirname(path));
}

/**
 * Creates a file durably and synchronously.
 * @throws Error EEXIST if the file already exists
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

/**
 * Synchronous version of `syncFolder`, which syncs a folder to the disk. New, renamed and removed files in the folder
 * then survive a power loss.
 */
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

/** Syncs the parent folders of a path to the disk. Another process may have created these folders just before. */
export function syncPathSync(path: string): void {
  try {
    for (const folder of parentsUpTo(path, '/')) syncFolderSync(folder);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // If this process may not read a folder, the folder is not new and needs no sync.
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
 * Returns the temporary name of a file. The name starts with a dot. Processes such as the DNS resolver read all files
 * in a folder except hidden files.
 */
function draftOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.new`);
}

/**
 * Returns the parent folders of a path, from the innermost to the outermost. `last` is the last folder that is
 * returned.
 */
function* parentsUpTo(path: string, last: string): Generator<string> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    yield folder;
    if (folder === last || folder === dirname(folder)) return;
  }
}

function passUnsupported(error: unknown): void {
  if (!NO_FOLDER_SYNC.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
}
