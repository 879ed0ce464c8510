/**
 * Folder with the files of the DNS resolver. Each network has a subfolder, whose name is an IP address. The `hosts`
 * file in the subfolder belongs to one dnsmasq process.
 */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { chmod, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder, writeDurably } from '@davit/service/durable-files';

const run = promisify(execFile);

/** Name of the named pipe with which the daemon tells `start.sh` that subfolders have changed. */
const WAKE = 'wake';

/** Name of the file that lists all Docker networks. All dnsmasq processes read this file. */
const NETWORKS = 'networks';

const ADDRESS = /^[\d.]+$/;

export class NamesFolder {
  readonly path: string;

  /** @param path folder on Docker's server; only the daemon writes to the folder */
  constructor(path: string) {
    this.path = path;
  }

  /**
   * Creates the folder and the named pipe of the DNS resolver. The file modes are explicit, because the DNS resolver
   * reads the files without privileges.
   */
  async prepare(): Promise<void> {
    await makeFolder(this.path, 0o755);
    await chmod(this.path, 0o755);
    const exists = (await readdir(this.path)).includes(WAKE);
    // All users may write to the named pipe. This is safe, because other users cannot access Davit's data directory.
    if (!exists) await run('mkfifo', ['--mode=666', join(this.path, WAKE)]);
  }

  /**
   * Writes the names of Docker networks to a file. dnsmasq does not forward queries for these names.
   * @returns `false` if the file already contains these names
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
   * Returns the IP addresses of the DNS resolver. On each network, the DNS resolver has one address and one subfolder
   * with a `hosts` file.
   */
  async addresses(): Promise<string[]> {
    const entries = await readdir(this.path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() && ADDRESS.test(entry.name)).map(({ name }) => name);
  }

  /**
   * Notifies the DNS resolver of changed `hosts` files through a named pipe.
   * @returns `false` if no process reads from the pipe
   */
  async wake(addresses: readonly string[]): Promise<boolean> {
    if (addresses.length === 0) return true;
    try {
      await using pipe = await open(join(this.path, WAKE), constants.O_WRONLY | constants.O_NONBLOCK);
      // The kernel never splits a short write to a pipe, so the DNS resolver always reads complete IP addresses.
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
