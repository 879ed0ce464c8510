/**
 * Folder with the files of the DNS resolver: per network, a subfolder with its address as the name and a `hosts` file
 * for one dnsmasq process.
 */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { chmod, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder, writeDurably } from '@davit/service/durable-files';

const run = promisify(execFile);

/** Name of the pipe through which the daemon notifies `start.sh` of changed subfolders. */
const WAKE = 'wake';

/** File with the names of all networks, which all dnsmasq processes read. */
const NETWORKS = 'networks';

const ADDRESS = /^[\d.]+$/;

export class NamesFolder {
  readonly path: string;

  /** @param path folder on Docker's server; only the daemon writes to the folder */
  constructor(path: string) {
    this.path = path;
  }

  /**
   * Creates the folder and the pipe of the DNS resolver. The file modes are explicit, because the resolver reads the
   * files without privileges.
   */
  async prepare(): Promise<void> {
    await makeFolder(this.path, 0o755);
    await chmod(this.path, 0o755);
    const exists = (await readdir(this.path)).includes(WAKE);
    // All users may write to the pipe. This is safe, because other users cannot enter Davit's data directory.
    if (!exists) await run('mkfifo', ['--mode=666', join(this.path, WAKE)]);
  }

  /**
   * Writes the names of Docker networks, whose queries dnsmasq must not forward.
   * @returns `false` if the file already has these names
   */
  async writeNetworks(names: readonly string[]): Promise<boolean> {
    const path = join(this.path, NETWORKS);
    const text = names.map((name) => `server=/${name}/\n`).join('');
    if ((await readIfThere(path)) === text) return false;
    await writeDurably(path, text, { mode: 0o644 });
    return true;
  }

  /** Returns the content of the `hosts` file of one network, or `null` if the file does not exist. */
  async read(address: string): Promise<string | null> {
    return readIfThere(join(this.path, address, 'hosts'));
  }

  /** Replaces the `hosts` file of one network atomically, so that dnsmasq never reads an incomplete file. */
  async write(address: string, text: string): Promise<void> {
    const folder = join(this.path, address);
    await makeFolder(folder, 0o755);
    await chmod(folder, 0o755);
    await writeDurably(join(folder, 'hosts'), text, { mode: 0o644 });
  }

  async remove(address: string): Promise<void> {
    await rm(join(this.path, address), { recursive: true, force: true });
  }

  /**
   * Returns the IP addresses of the DNS resolver. For each network, the resolver has an address and a subfolder with a
   * hosts file.
   */
  async addresses(): Promise<string[]> {
    const entries = await readdir(this.path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() && ADDRESS.test(entry.name)).map(({ name }) => name);
  }

  /**
   * Notifies the DNS resolver of changed hosts files through a pipe.
   * @returns `false` if no process reads from the pipe
   */
  async wake(addresses: readonly string[]): Promise<boolean> {
    if (addresses.length === 0) return true;
    try {
      await using pipe = await open(join(this.path, WAKE), constants.O_WRONLY | constants.O_NONBLOCK);
      // The kernel never splits a short write to a pipe, so the container always reads complete IP addresses.
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
