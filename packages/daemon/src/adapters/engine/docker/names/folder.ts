/**
 * The folder that the resolver of internal names reads: one folder for each network, named by the address at which the
 * resolver answers there, with one file `hosts`. `names/start.sh` runs one process for each of them. The file `networks`
 * names the networks, for all processes.
 */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { chmod, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder, writeDurably } from '@davit/service/durable-files';

const run = promisify(execFile);

/** The pipe through which the resolver learns which folder has changed. */
const WAKE = 'wake';

const NETWORKS = 'networks';

const ADDRESS = /^[\d.]+$/;

export class NamesFolder {
  readonly path: string;

  /** @param path on the engine's machine; only the daemon writes to it */
  constructor(path: string) {
    this.path = path;
  }

  /** Creates the folder and the pipe. The resolver has no rights: it can read what is here whatever the daemon's file mode is. */
  async prepare(): Promise<void> {
    await makeFolder(this.path, 0o755);
    await chmod(this.path, 0o755);
    const exists = (await readdir(this.path)).includes(WAKE);
    // Other users of the server cannot enter the data directory around it.
    if (!exists) await run('mkfifo', ['--mode=666', join(this.path, WAKE)]);
  }

  /**
   * Writes the names of the networks, as domains that the resolver does not forward.
   * @returns false if they were written already
   */
  async writeNetworks(names: readonly string[]): Promise<boolean> {
    const path = join(this.path, NETWORKS);
    const text = names.map((name) => `server=/${name}/\n`).join('');
    if ((await readIfThere(path)) === text) return false;
    await writeDurably(path, text, { mode: 0o644 });
    return true;
  }

  /** Returns the text that is in place for an address, or `null` if there is none. */
  async read(address: string): Promise<string | null> {
    return readIfThere(join(this.path, address, 'hosts'));
  }

  /** Replaces the text for an address as a whole: the resolver never reads half a file. */
  async write(address: string, text: string): Promise<void> {
    const folder = join(this.path, address);
    await makeFolder(folder, 0o755);
    await chmod(folder, 0o755);
    await writeDurably(join(folder, 'hosts'), text, { mode: 0o644 });
  }

  async remove(address: string): Promise<void> {
    await rm(join(this.path, address), { recursive: true, force: true });
  }

  /** Returns the addresses that have a folder. */
  async addresses(): Promise<string[]> {
    const entries = await readdir(this.path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() && ADDRESS.test(entry.name)).map(({ name }) => name);
  }

  /** Notifies the resolver that folders have changed. @returns false if no resolver reads the pipe */
  async wake(addresses: readonly string[]): Promise<boolean> {
    if (addresses.length === 0) return true;
    try {
      await using pipe = await open(join(this.path, WAKE), constants.O_WRONLY | constants.O_NONBLOCK);
      // One write each: the kernel keeps a short write whole.
      for (const address of addresses) await pipe.write(`${address}\n`);
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENXIO' || code === 'ENOENT' || code === 'EAGAIN' || code === 'EPIPE') return false;
      throw error;
    }
  }
}

async function readIfThere(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
}
