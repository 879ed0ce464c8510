import { createReadStream } from 'node:fs';
import { type FileHandle, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { makeFolder, replaceDurably } from '@davit/service/durable-files';
import { diskUse } from '../../adapters/engine/disk-use.ts';
import { freeBuffers } from '../../adapters/engine/free-buffers.ts';
import type { DiskUse } from '../../adapters/engine/volume.ts';
import { type BackupDestination, DestinationMissing, DestinationRefused, type KeptObject } from './destination.ts';
import { SteadySync } from './steady-sync.ts';

/**
 * Suffix of the name of an unfinished backup file. Davit ignores files with this suffix and removes them at its next
 * start.
 */
const PARTIAL = '.partial';
/** Number of bytes that Davit writes before it checks the free disk space again. */
const LOOK_EVERY_BYTES = 64 * 1024 * 1024;
/** Disk space in bytes that must remain free after a backup, because a server with a full disk stops working. */
const LEFT_FREE_BYTES = 256 * 1024 * 1024;
/**
 * Number of bytes that one read of a backup file requests. An encrypted chunk of a backup has the same size. Smaller
 * reads would be slower, because each read runs in another thread.
 */
const READ_BYTES = 256 * 1024;

export interface DiskDestinationOptions {
  /**
   * Returns an error message if the disk has too little space for a large file. If the disk has enough space, returns
   * `null`.
   */
  guard: () => string | null;
  /** Function that returns the used and free disk space. Tests replace this function. */
  use?: ((path: string) => Promise<DiskUse>) | undefined;
}

/**
 * Stores backups as files in a folder of the server. An unfinished file has a temporary name. The file gets its final
 * name when all its bytes are on the disk.
 */
export class DiskDestination implements BackupDestination {
  readonly #root: string;
  readonly #guard: () => string | null;
  readonly #use: (path: string) => Promise<DiskUse>;

  constructor(root: string, { guard, use = diskUse }: DiskDestinationOptions) {
    this.#root = root;
    this.#guard = guard;
    this.#use = use;
  }

  async put(key: string, source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number> {
    const full = this.#guard();
    if (full !== null) throw new DestinationRefused(full);
    const path = this.#path(key);
    try {
      await makeFolder(dirname(path), 0o700);
      const write = (file: FileHandle) => this.#write(file, source, signal);
      return await replaceDurably(path, write, { draft: `${path}${PARTIAL}` });
    } catch (error) {
      throw refusalOf(error);
    }
  }

  async get(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const path = this.#path(key);
    if (!(await isFile(path))) throw new DestinationMissing('the file of the backup is missing in the backup folder');
    return readFrom(path, signal);
  }

  async *list(prefix: string): AsyncIterable<KeptObject> {
    for (const key of (await this.#keys()).filter((one) => one.startsWith(prefix) && !one.endsWith(PARTIAL)).sort())
      yield { key, sizeBytes: (await stat(this.#path(key))).size };
  }

  async delete(key: string): Promise<void> {
    await rm(this.#path(key), { force: true });
  }

  /**
   * Removes unfinished backup files of an earlier daemon process. Call this function only at the start of the daemon,
   * before the daemon writes backups.
   */
  async sweep(): Promise<void> {
    for (const key of await this.#keys()) if (key.endsWith(PARTIAL)) await rm(join(this.#root, key), { force: true });
  }

  async #write(file: FileHandle, source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number> {
    const steady = new SteadySync(file);
    let bytes = 0;
    let lookAt = 0;
    for await (const chunk of source) {
      signal.throwIfAborted();
      if (bytes >= lookAt) {
        await this.#demandRoom();
        lookAt = bytes + LOOK_EVERY_BYTES;
      }
      await file.writeFile(chunk);
      bytes += chunk.length;
      steady.wrote(chunk.length);
      freeBuffers([chunk]);
    }
    await steady.finish();
    return bytes;
  }

  async #demandRoom(): Promise<void> {
    const { freeBytes } = await this.#use(this.#root);
    if (freeBytes < LEFT_FREE_BYTES) throw noRoom();
  }

  async #keys(): Promise<string[]> {
    const entries = await readdir(this.#root, { recursive: true, withFileTypes: true }).catch(nothingThere);
    const files = entries.filter((entry) => entry.isFile());
    return files.map(({ parentPath, name }) => relative(this.#root, join(parentPath, name)).replaceAll(sep, '/'));
  }

  #path(key: string): string {
    if (!/^[A-Za-z0-9_][A-Za-z0-9_./-]*$/.test(key) || key.split('/').some((part) => /^\.*$/.test(part)))
      throw new Error(`“${key}” is not a valid name for a backup file`);
    return join(this.#root, key);
  }
}

async function* readFrom(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of createReadStream(path, { signal, highWaterMark: READ_BYTES })) {
      yield piece;
      freeBuffers([piece]);
    }
  } catch (error) {
    throw refusalOf(error);
  }
}

const BROKEN = ['EACCES', 'EPERM', 'EROFS', 'EIO', 'ENOTDIR', 'ENAMETOOLONG'];

/** Converts disk errors to `DestinationRefused`. Returns all other errors unchanged. */
function refusalOf(error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return noRoom(error);
  if (!BROKEN.includes(code)) return error;
  const message = `The backup folder cannot be used (${code}). Check the disk and the permissions of the folder.`;
  return new DestinationRefused(message, { cause: error });
}

function noRoom(cause?: unknown): DestinationRefused {
  return new DestinationRefused(
    'The disk does not have enough free space for the backup. Free some space, or store backups in an object store.',
    {
      cause,
    },
  );
}

function nothingThere(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() ?? false;
}
