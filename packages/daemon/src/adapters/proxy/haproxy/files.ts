/**
 * Manages the folder with HAProxy's files. Each version has its own folder, so HAProxy never reads files of two
 * versions. A symbolic link points to the current version.
 */
import { createHash } from 'node:crypto';
import { link, mkdir, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { renameDurably, syncFolder, writeSynced } from '@davit/service/durable-files';
import type { RenderedConfig } from './config.ts';

const LINK = 'current';

export class ConfigFiles {
  readonly folder: string;
  /**
   * Map from file name to the content hash of the HAProxy file on disk. `null` until the files are read. Only hashes
   * are kept in memory, because files can be large.
   */
  #hashes: Map<string, string> | null = null;

  constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * Writes the HAProxy files atomically. After a crash, either all old files or all new files are in use.
   * @returns `false` if the files were already up to date
   */
  async write({ files }: RenderedConfig): Promise<boolean> {
    const hashes = new Map(Object.entries(files).map(([name, content]) => [name, hashOf(content)]));
    this.#hashes ??= await this.#read([...hashes.keys()]);
    const written = this.#hashes;
    const isWritten = (name: string) => written.get(name) === hashes.get(name);
    if ([...hashes.keys()].every(isWritten)) return false;

    const before = await this.#target();
    const target = `config-${Number(before?.replace('config-', '') ?? 0) + 1}`;
    const path = join(this.folder, target);
    await rm(path, { recursive: true, force: true });
    await mkdir(path, { recursive: true, mode: 0o700 });
    await Promise.all(
      Object.entries(files).map(([name, content]) =>
        // Adds a hard link for each unchanged file. This is safe, because the files are never changed in place.
        before !== null && isWritten(name)
          ? link(join(this.folder, before, name), join(path, name))
          : writeSynced(join(path, name), 0o600, (file) => file.writeFile(content)),
      ),
    );
    // All new HAProxy files must be on disk before the symbolic link points to their folder.
    await syncFolder(path);
    await syncFolder(this.folder);
    await this.#point(target);
    this.#hashes = hashes;
    // Keeps the previous folder, because an HAProxy process that is starting may still read the files in it.
    await this.#removeExcept([target, ...(before === null ? [] : [before])]);
    return true;
  }

  /** Returns the current content of an HAProxy file, or an empty text if the file does not exist. */
  async read(name: string): Promise<string> {
    return (await readFile(join(this.folder, LINK, name), 'utf8').catch(absentWhenMissing)) ?? '';
  }

  /** Changes the symbolic link back to the folder with the previous version of the HAProxy files. */
  async revert(): Promise<void> {
    const current = await this.#target();
    const others = (await readdir(this.folder)).filter((name) => name.startsWith('config-') && name !== current);
    const previous = others.sort((a, b) => Number(b.slice(7)) - Number(a.slice(7)))[0];
    if (previous !== undefined) await this.#point(previous);
    this.#hashes = null;
  }

  async #point(target: string): Promise<void> {
    const path = join(this.folder, `${LINK}.new`);
    await rm(path, { force: true });
    await symlink(target, path);
    await renameDurably(path, join(this.folder, LINK));
  }

  async #read(names: string[]): Promise<Map<string, string>> {
    const read = (name: string) => readFile(join(this.folder, LINK, name), 'utf8').catch(absentWhenMissing);
    const contents = await Promise.all(names.map(async (name) => [name, await read(name)] as const));
    return new Map(contents.flatMap(([name, content]) => (content === null ? [] : [[name, hashOf(content)]])));
  }

  async #target(): Promise<string | null> {
    return (await readlink(join(this.folder, LINK)).catch(absentWhenMissing)) || null;
  }

  async #removeExcept(keep: string[]): Promise<void> {
    const names = await readdir(this.folder);
    const stale = names.filter((name) => name.startsWith('config-') && !keep.includes(name));
    await Promise.all(stale.map((name) => rm(join(this.folder, name), { recursive: true, force: true })));
  }
}

function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('base64');
}

function absentWhenMissing(error: unknown): null {
  if ((error as { code?: unknown }).code === 'ENOENT') return null;
  throw error;
}
