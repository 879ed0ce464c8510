/**
 * Finds all files of an image that Davit builds from Debian packages. The files are the programs in the image
 * definition and the shared libraries that the programs need.
 */
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { PackageVersion } from '../../platform-images.ts';
import type { Apt } from './debian-apt.ts';
import { filesIn, writeImage } from './debian-files.ts';
import { PackageFolder } from './debian-packages.ts';
import type { DebianImage } from './debian-recipe.ts';
import { type ElfNeeds, readElfNeeds } from './elf.ts';

/**
 * Shared libraries that libc loads when a thread ends. Programs do not declare these libraries as dependencies, but
 * crash without them.
 */
const LOADED_BY_NAME = ['libgcc_s.so.1'];

const LIBRARY_FOLDER = /^\/(usr\/)?lib(64)?(\/[^/]+-linux-gnu[^/]*)?$/;

/**
 * Maximum depth of package dependencies. The limit prevents downloads of too many packages if an image definition is
 * wrong.
 */
const MAX_DEPTH = 6;

/**
 * Copies the programs of an image definition to the folder `<folder>/image`, with all shared libraries that the
 * programs need.
 */
export async function extractClosure(
  folder: string,
  recipe: DebianImage,
  apt: Apt,
): Promise<{ root: string; packages: PackageVersion[] }> {
  const packages = new PackageFolder(folder, apt, recipe.notNeeded);
  const image = join(folder, 'image');
  await packages.add(recipe.packages);
  for (let depth = 0; ; depth += 1) {
    const whole = await filesIn(packages.root, recipe);
    const programs = whole.filter(({ isProgram }) => isProgram).map(({ path }) => path);
    const { copies, missing } = await findClosure(packages.root, [...recipe.binaries, ...programs]);
    if (missing.length === 0) {
      await writeImage(image, packages.root, { copies, whole, files: recipe.files ?? {}, links: recipe.links ?? {} });
      const files = [...copies.values(), ...whole.map(({ path }) => join(packages.root, path))];
      return { root: image, packages: packages.packagesOf(files) };
    }
    const added = depth < MAX_DEPTH && (await packages.addDependencies());
    if (!added)
      throw new Error(
        `The packages ${recipe.packages.join(', ')} and their dependencies do not contain these files: ${missing.join(', ')}.`,
      );
  }
}

interface Closure {
  /**
   * Files to copy into the image. The map's key is the path in the image. The value is the path of the source file on
   * this server.
   */
  copies: Map<string, string>;
  /** Names of required shared libraries that no downloaded Debian package contains. */
  missing: string[];
}

async function findClosure(root: string, binaries: string[]): Promise<Closure> {
  const libraries = await indexLibraries(root);
  const copies = new Map<string, string>();
  const missing = new Set<string>();
  const queue = binaries.map((path) => ({ path, source: join(root, path) }));
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (copies.has(next.path)) continue;
    copies.set(next.path, next.source);
    const needs = await readNeeds(next.path, next.source);
    const names = needs.interpreter === null ? needs.libraries : [...needs.libraries, ...LOADED_BY_NAME];
    for (const name of names) {
      const source = libraries.get(name);
      if (source === undefined) missing.add(name);
      // All libraries are copied to a folder such as `/lib/x86_64-linux-gnu`, because Debian's loader always searches
      // this folder.
      else queue.push({ path: join('/lib', basename(dirname(source)), name), source });
    }
    if (needs.interpreter === null) continue;
    const loader = libraries.get(basename(needs.interpreter));
    if (loader === undefined) missing.add(basename(needs.interpreter));
    else queue.push({ path: needs.interpreter, source: loader });
  }
  return { copies, missing: [...missing].sort() };
}

async function readNeeds(path: string, source: string): Promise<ElfNeeds> {
  try {
    return readElfNeeds(await readFile(source));
  } catch (cause) {
    throw new Error(
      `The file ${path} from the downloaded packages cannot be read: ${cause instanceof Error ? cause.message : cause}`,
      { cause },
    );
  }
}

/** Returns a map from file name to path for all shared libraries and program loaders. */
async function indexLibraries(root: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const folder = entry.parentPath.slice(root.length);
    if (!entry.name.includes('.so') || entry.isDirectory() || !LIBRARY_FOLDER.test(folder)) continue;
    /*
     * A library can be a file in one folder and a link in another folder. The file is preferred, because the link may
     * be broken.
     */
    if (entry.isFile() || !found.has(entry.name)) found.set(entry.name, join(entry.parentPath, entry.name));
  }
  return found;
}
