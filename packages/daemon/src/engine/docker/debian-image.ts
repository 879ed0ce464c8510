/**
 * Builds the platform's own images on the machine they run on, from the distribution's packages: the named binaries,
 * the shared libraries they ask for, and nothing else. No registry is asked, nothing is installed on the host, and the
 * distribution's security updates are what comes in.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { DockerClient } from './client.ts';
import { filesIn, writeImage } from './debian-files.ts';
import { isMissing, PackageFolder, stderrOf } from './debian-packages.ts';
import { type ElfNeeds, readElfNeeds } from './elf.ts';
import { inspectImage } from './image-calls.ts';
import { readMessages } from './messages.ts';

/** What an image is made of. Its hash is the image's tag: a changed recipe is another image. */
export interface DebianImage {
  /** Becomes `davit/<name>`. */
  name: string;
  /** Debian packages that the binaries and files come from; their libraries' packages are found by themselves. */
  packages: string[];
  /** Absolute paths inside those packages. */
  binaries: string[];
  entrypoint: string[];
  /** Folders of those packages that are taken whole, with the libraries that what is in them asks for. */
  folders?: string[];
  /** Parts of paths in those folders that are left out. */
  without?: string[];
  /** Packages that the named ones depend on for something that is left out. */
  notNeeded?: string[];
  /** Further files, path to content; readable by all. */
  files?: Record<string, string>;
  /** Symbolic links, path to target. */
  links?: Record<string, string>;
  /** Variables of its containers. */
  env?: Record<string, string>;
  /** TCP ports that it exposes. */
  ports?: number[];
  /** Goes by this tag instead of its hash: an image of an older recipe loses it to the next. */
  tag?: string;
  /** The environment variable that names an image to use instead; said when one cannot be built here. */
  setting?: string;
}

/** Raised when what is done with a recipe changes, so that images built the old way are not taken for the new one. */
const FORMAT = 1;

/** How far a library's package may be from the ones named: a bound on what is downloaded for a wrong recipe. */
const MAX_DEPTH = 6;

/** The hash of the recipe that an image was made by. */
const RECIPE_LABEL = 'davit.recipe';

/** libc loads it by name when a thread ends and aborts the process without it; no file lists it as needed. */
const LOADED_BY_NAME = ['libgcc_s.so.1'];

const LIBRARY_FOLDER = /^\/(usr\/)?lib(64)?(\/[^/]+-linux-gnu[^/]*)?$/;

const run = promisify(execFile);

/** The image's reference, `davit/<name>:<hash>`, without asking anybody whether it exists. */
export function debianImageReference(recipe: DebianImage): string {
  return `davit/${recipe.name}:${recipe.tag ?? hashOf(recipe)}`;
}

function hashOf({ name, packages, binaries, entrypoint, files = {}, ...rest }: DebianImage): string {
  const { folders, without, notNeeded, links, env, ports } = rest;
  const known = [FORMAT, name, packages, binaries, entrypoint, Object.entries(files).sort()];
  // What a recipe does not have must not change the hash of the images that there are.
  const more = [folders, without, notNeeded, links, env, ports];
  const content = JSON.stringify(more.every((part) => part === undefined) ? known : [...known, ...more]);
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

/** Finds the recipe's image, as it is made today. */
async function findImage(docker: DockerClient, recipe: DebianImage): Promise<boolean> {
  const found = await inspectImage(docker, debianImageReference(recipe));
  if (found === null) return false;
  return recipe.tag === undefined || found.Config.Labels?.[RECIPE_LABEL] === hashOf(recipe);
}

/**
 * Finds the recipe's image in the engine, or builds it there (a few seconds; the packages are downloaded by apt).
 * Concurrent calls, in other processes too, each build it and get the same reference.
 * @returns the image's reference, `davit/<name>:<hash of the recipe>`
 * @throws Error saying what to do when it cannot be built on this machine
 */
export async function ensureDebianImage(docker: DockerClient, recipe: DebianImage): Promise<string> {
  const reference = debianImageReference(recipe);
  if (await findImage(docker, recipe)) return reference;

  const folder = await mkdtemp(join(tmpdir(), 'davit-image-'));
  try {
    const root = await extractClosure(folder, recipe);
    const archive = join(folder, 'image.tar');
    await run('tar', ['-C', root, '--sort=name', '--owner=0', '--group=0', '--numeric-owner', '-cf', archive, '.']);
    if (!(await findImage(docker, recipe))) await importImage(docker, archive, reference, recipe);
    return reference;
  } catch (cause) {
    throw new Error(`build image ${reference}: ${explain(cause, recipe)}`, { cause });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Fills `<folder>/image` with what the binaries need to run. */
async function extractClosure(folder: string, recipe: DebianImage): Promise<string> {
  const packages = new PackageFolder(folder, recipe.notNeeded);
  const image = join(folder, 'image');
  await packages.add(recipe.packages);
  for (let depth = 0; ; depth += 1) {
    const whole = await filesIn(packages.root, recipe);
    const programs = whole.filter(({ isProgram }) => isProgram).map(({ path }) => path);
    const { copies, missing } = await findClosure(packages.root, [...recipe.binaries, ...programs]);
    if (missing.length === 0) {
      await writeImage(image, packages.root, { copies, whole, files: recipe.files ?? {}, links: recipe.links ?? {} });
      return image;
    }
    const added = depth < MAX_DEPTH && (await packages.addDependencies());
    if (!added) throw new Error(`no package that ${recipe.packages.join(', ')} depend on has ${missing.join(', ')}`);
  }
}

interface Closure {
  /** Path in the image to the file it is copied from. */
  copies: Map<string, string>;
  /** Libraries that are in no package yet. */
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
      // The one folder that every Debian loader searches, wherever the package put the file.
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
    throw new Error(`read ${path} of the packages: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** Every shared library by its file name; the loaders too. */
async function indexLibraries(root: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const folder = entry.parentPath.slice(root.length);
    if (!entry.name.includes('.so') || entry.isDirectory() || !LIBRARY_FOLDER.test(folder)) continue;
    // A loader is in two places, once as a link with an absolute target that leads out of the root.
    if (entry.isFile() || !found.has(entry.name)) found.set(entry.name, join(entry.parentPath, entry.name));
  }
  return found;
}

const IMPORT_TIMEOUT_MS = 5 * 60_000;

async function importImage(docker: DockerClient, file: string, reference: string, recipe: DebianImage): Promise<void> {
  const [repo = '', tag = ''] = reference.split(':');
  const query = { fromSrc: '-', repo, tag, changes: changesOf(recipe).join('\n') };
  const signal = AbortSignal.timeout(IMPORT_TIMEOUT_MS);
  const doing = `import ${reference}`;
  const archive = createReadStream(file);
  const call = { doing, method: 'POST', path: '/images/create', query, archive, signal, timeoutMs: null } as const;
  await readMessages(await docker.stream(call), doing, signal);
}

function changesOf(recipe: DebianImage): string[] {
  const { entrypoint, env = {}, ports = [], tag } = recipe;
  return [
    `ENTRYPOINT ${JSON.stringify(entrypoint)}`,
    ...Object.entries(env).map(([name, value]) => `ENV ${name}=${value}`),
    ...ports.map((port) => `EXPOSE ${port}`),
    ...(tag === undefined ? [] : [`LABEL ${RECIPE_LABEL}=${hashOf(recipe)}`]),
  ];
}

function explain(cause: unknown, recipe: DebianImage): string {
  const alternative =
    recipe.setting === undefined ? '' : ` Set ${recipe.setting} to an image that has ${recipe.binaries.join(', ')}.`;
  if (isMissing(cause)) {
    const tool = (cause as { path?: string }).path ?? 'a tool';
    return `it is made from Debian packages, and this machine has no ${tool}.${alternative}`;
  }
  const reason = stderrOf(cause).trim() || (cause instanceof Error ? cause.message : String(cause));
  return `${reason.replaceAll('\n', ' ')}.${alternative}`;
}
