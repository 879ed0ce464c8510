/** Debian packages, downloaded by apt and unpacked in a folder; nothing is installed. */
import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PackageVersion, PlatformImageFailed } from '../../platform-images.ts';
import { type Apt, isProgramMissing } from './debian-apt.ts';

const run = promisify(execFile);

/** A listing of a package with tens of thousands of files. */
const LISTING_BYTES = 64 * 1024 * 1024;

/** Packages downloaded and unpacked over each other, and what they depend on. */
export class PackageFolder {
  readonly root: string;
  readonly #downloads: string;
  readonly #apt: Apt;
  readonly #names = new Set<string>();
  readonly #notNeeded: readonly string[];
  /** Path of a file in the root to the package that it came from. */
  readonly #owners = new Map<string, PackageVersion>();
  #dependencies = new Set<string>();

  /** @param notNeeded packages that are left out, whatever depends on them */
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

  /** Adds the libraries that the packages added last depend on; false when there are no new ones. */
  async addDependencies(): Promise<boolean> {
    const names = [...this.#dependencies]
      .filter((name) => !this.#names.has(name) && !this.#notNeeded.includes(name))
      .sort();
    if (names.length > 0) await this.add(names);
    return names.length > 0;
  }

  /** The packages that files of the root came from, by name. @param files absolute paths on this machine */
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

  /** Lists that are older than the mirror name versions that it does not have any more. */
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

/** The library packages in `dpkg-deb --field` output; of alternatives the first. Policy has their names begin with `lib`. */
export function libraryPackages(fields: string): string[] {
  const names = fields
    .split('\n')
    .filter((line) => !/^(Package|Version):/.test(line))
    .flatMap((line) => line.replace(/^(Pre-)?Depends:/, '').split(','))
    .map((dependency) => /^\s*(lib[a-z0-9+.-]+)/.exec(dependency)?.[1])
    .filter((name) => name !== undefined);
  return [...new Set(names)];
}

/** Paths of files and links in `dpkg-deb --contents` output, which is that of `tar --verbose`. */
export function listedFiles(listing: string): string[] {
  return listing.split('\n').flatMap((line) => {
    const path = /^[^d]\S+ +\S+ +\d+ +\S+ +\S+ \.(\/.+?)(?: -> .*| link to .*)?$/.exec(line)?.[1];
    return path === undefined ? [] : [path];
  });
}

function fieldOf(fields: string, name: string): string {
  return new RegExp(`^${name}: (.+)$`, 'm').exec(fields)?.[1] ?? '';
}
