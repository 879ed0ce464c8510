/** Downloads Debian packages with apt and unpacks them into a folder. The server's own packages do not change. */
import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PackageVersion, PlatformImageFailed } from '../../platform-images.ts';
import { type Apt, isProgramMissing } from './debian-apt.ts';

const run = promisify(execFile);

/** Maximum output of `dpkg-deb --contents` in bytes. The limit allows packages with tens of thousands of files. */
const LISTING_BYTES = 64 * 1024 * 1024;

/** Folder with unpacked Debian packages and their dependencies. */
export class PackageFolder {
  readonly root: string;
  readonly #downloads: string;
  readonly #apt: Apt;
  readonly #names = new Set<string>();
  readonly #notNeeded: readonly string[];
  /** Map from the path of an unpacked file to the Debian package of the file. */
  readonly #owners = new Map<string, PackageVersion>();
  #dependencies = new Set<string>();

  /** @param notNeeded packages that are never added, even if other packages depend on them */
  constructor(folder: string, apt: Apt, notNeeded: readonly string[] = []) {
    this.#apt = apt;
    this.#notNeeded = notNeeded;
    this.root = join(folder, 'root');
    this.#downloads = join(folder, 'packages');
  }

  async add(names: string[]): Promise<void> {
    await mkdir(this.root, { recursive: true });
    await mkdir(this.#downloads, { recursive: true });
    const before = new Set(await readdir(this.#downloads));
    await this.#download(names);
    this.#dependencies = new Set();
    for (const file of await readdir(this.#downloads)) {
      if (!file.endsWith('.deb') || before.has(file)) continue;
      await this.#unpack(join(this.#downloads, file));
    }
    for (const name of names) this.#names.add(name);
  }

  /**
   * Downloads and unpacks the packages whose shared libraries the programs need. Returns `false` if all needed packages
   * are unpacked.
   */
  async addDependencies(): Promise<boolean> {
    const names = [...this.#dependencies]
      .filter((name) => !this.#names.has(name) && !this.#notNeeded.includes(name))
      .sort();
    if (names.length > 0) await this.add(names);
    return names.length > 0;
  }

  /**
   * Returns the packages that contain the given unpacked files, sorted by name.
   * @param files absolute paths on this server
   */
  packagesOf(files: Iterable<string>): PackageVersion[] {
    const found = new Map<string, PackageVersion>();
    for (const file of files) {
      const owner = this.#owners.get(file.slice(this.root.length));
      if (owner !== undefined) found.set(owner.name, owner);
    }
    return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async #unpack(path: string): Promise<void> {
    await run('dpkg-deb', ['--extract', path, this.root]);
    const { stdout } = await run('dpkg-deb', ['--field', path, 'Package', 'Version', 'Pre-Depends', 'Depends']);
    for (const name of libraryPackages(stdout)) this.#dependencies.add(name);
    const owner = { name: fieldOf(stdout, 'Package'), version: fieldOf(stdout, 'Version') };
    const listing = await run('dpkg-deb', ['--contents', path], { maxBuffer: LISTING_BYTES });
    for (const file of listedFiles(listing.stdout)) this.#owners.set(file, owner);
  }

  /**
   * Downloads Debian packages. If the download fails, the package lists are refreshed before a second attempt, because
   * mirrors delete old package versions.
   */
  async #download(names: string[]): Promise<void> {
    try {
      await this.#apt.download(names, this.#downloads);
    } catch (cause) {
      if (isProgramMissing(cause)) throw cause;
      await this.#apt.refresh();
      await this.#apt.download(names, this.#downloads).catch((error: unknown) => {
        throw new PlatformImageFailed('packages_unavailable', `download ${names.join(', ')}`, { cause: error });
      });
    }
  }
}

/**
 * Returns the names of library packages in the output of `dpkg-deb --field`. If there are alternatives, only the first
 * one is returned. Library packages have the prefix `lib`, as the Debian policy requires.
 */
export function libraryPackages(fields: string): string[] {
  const names = fields
    .split('\n')
    .filter((line) => !/^(Package|Version):/.test(line))
    .flatMap((line) => line.replace(/^(Pre-)?Depends:/, '').split(','))
    .map((dependency) => /^\s*(lib[a-z0-9+.-]+)/.exec(dependency)?.[1])
    .filter((name) => name !== undefined);
  return [...new Set(names)];
}

/**
 * Returns the paths of files and links in the output of `dpkg-deb --contents`. The output has the same format as `tar
 * --verbose`.
 */
export function listedFiles(listing: string): string[] {
  return listing.split('\n').flatMap((line) => {
    const path = /^[^d]\S+ +\S+ +\d+ +\S+ +\S+ \.(\/.+?)(?: -> .*| link to .*)?$/.exec(line)?.[1];
    return path === undefined ? [] : [path];
  });
}

function fieldOf(fields: string, name: string): string {
  return new RegExp(`^${name}: (.+)$`, 'm').exec(fields)?.[1] ?? '';
}
