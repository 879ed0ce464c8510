/**
 * Builds platform images on the server from Debian packages, including Debian's security updates. The build installs no
 * packages on the server.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EngineUnavailable } from '../../errors.ts';
import { RECIPE_LABEL } from '../../labels.ts';
import {
  type PackageVersion,
  type PlatformFailureCode,
  type PlatformImage,
  PlatformImageFailed,
} from '../../platform-images.ts';
import type { DockerClient } from '../client/client.ts';
import { readMessages } from '../client/messages.ts';
import { inspectImage } from '../images/image-calls.ts';
import { Apt, isProgramMissing, stderrOf } from './debian-apt.ts';
import { extractClosure } from './debian-closure.ts';
import type { DebianImage } from './debian-recipe.ts';

/**
 * Version of the code that builds images. Each recipe hash includes this version. If the version changes, Davit builds
 * all images again.
 */
const FORMAT = 2;

/** Docker label that lists the Debian packages in the image as `name=version`, separated by commas. */
const PACKAGES_LABEL = 'davit.packages';
/**
 * Docker label with the download time of the Debian package lists, in milliseconds since the epoch. If the label is
 * missing, the time is unknown.
 */
const LISTS_LABEL = 'davit.lists';

const run = promisify(execFile);

/** Returns the image tag that all Davit instances share. The image may not exist. */
export function debianImageReference(recipe: DebianImage): string {
  return `davit/${recipe.name}:${recipe.tag ?? recipeHash(recipe)}`;
}

/** Returns a hash of the fields of an image definition that determine the content of the image. */
export function recipeHash({ name, packages, binaries, entrypoint, files = {}, ...rest }: DebianImage): string {
  const { folders, without, notNeeded, links, env, ports } = rest;
  const parts = [FORMAT, name, packages, binaries, entrypoint, Object.entries(files).sort()];
  const content = JSON.stringify([...parts, folders, without, notNeeded, links, env, ports]);
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

/**
 * Finds or builds an image for scripts and tests. The daemon uses `platform-images.ts` instead.
 * @returns reference of the image
 * @throws Error with a message that tells the user what to do
 */
export async function ensureDebianImage(docker: DockerClient, recipe: DebianImage): Promise<string> {
  const reference = debianImageReference(recipe);
  if ((await findShared(docker, recipe)) !== null) return reference;
  await using folder = await temporaryFolder();
  const apt = new Apt({ folder: join(folder.path, 'apt') });
  /*
   * If the download of package lists fails, the existing package lists are used. The existing lists may contain all
   * needed packages.
   */
  await apt.refresh().catch(unlessFailed);
  await buildDebianImage(docker, { recipe, apt, reference, listsAt: await apt.refreshedAt() });
  return reference;
}

/**
 * Finds an image by the tag that all Davit instances share. Returns `null` if the image has another definition. Also
 * returns `null` if the image comes from a registry, because a pull can move the tag.
 */
export async function findShared(docker: DockerClient, recipe: DebianImage): Promise<BuiltImage | null> {
  const found = await inspectImage(docker, debianImageReference(recipe));
  if (found === null || (found.RepoDigests ?? []).length > 0) return null;
  const { [RECIPE_LABEL]: hash, [PACKAGES_LABEL]: packages, [LISTS_LABEL]: lists } = found.Config.Labels ?? {};
  if (hash !== recipeHash(recipe) || packages === undefined) return null;
  const listsAt = lists === undefined ? null : Number(lists);
  const of = { imageId: found.Id, recipe: hash, builtAt: Date.parse(found.Created) };
  return { ...of, packages: parsePackages(packages), listsAt };
}

export interface BuiltImage extends PlatformImage {
  /** Download time of the Debian package lists in milliseconds since the epoch, or `null` if unknown. */
  listsAt: number | null;
}

export interface Building {
  recipe: DebianImage;
  apt: Apt;
  /** Tag of the new image. If an older image already has this tag, the tag moves to the new image. */
  reference: string;
  /** Download time of the Debian package lists in milliseconds since the epoch. `null` or `undefined` if unknown. */
  listsAt?: number | null;
  signal?: AbortSignal | undefined;
}

/**
 * Builds an image from Debian packages, in the versions of the downloaded package lists. A build takes seconds.
 * @throws PlatformImageFailed with a message that tells the user what to do
 * @throws EngineUnavailable
 */
export async function buildDebianImage(docker: DockerClient, building: Building): Promise<BuiltImage> {
  const { recipe, apt, reference, listsAt = null } = building;
  await using folder = await temporaryFolder();
  try {
    const { root, packages } = await extractClosure(folder.path, recipe, apt);
    const archive = join(folder.path, 'image.tar');
    await run('tar', ['-C', root, '--sort=name', '--owner=0', '--group=0', '--numeric-owner', '-cf', archive, '.']);
    await importImage(docker, archive, building, packages);
    const image = await inspectImage(docker, reference);
    if (image === null)
      throw new Error('Docker does not have the image that Davit just built. Another program may have removed it.');
    const builtAt = Date.parse(image.Created);
    return { imageId: image.Id, recipe: recipeHash(recipe), packages, builtAt, listsAt };
  } catch (cause) {
    if (cause instanceof EngineUnavailable) throw cause;
    const code = cause instanceof PlatformImageFailed ? cause.code : codeOf(cause);
    throw new PlatformImageFailed(code, `The image davit/${recipe.name} cannot be built: ${explain(cause, recipe)}`, {
      cause,
    });
  }
}

/**
 * Error handler that returns `null` for a `PlatformImageFailed` error.
 * @throws every other error
 */
export function unlessFailed(error: unknown): null {
  if (!(error instanceof PlatformImageFailed)) throw error;
  return null;
}

async function temporaryFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'davit-image-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

function codeOf(cause: unknown): PlatformFailureCode {
  if (isProgramMissing(cause)) return 'no_package_manager';
  return (cause as { code?: unknown }).code === 'ENOSPC' ? 'disk_full' : 'build_failed';
}

const IMPORT_TIMEOUT_MS = 5 * 60_000;

async function importImage(
  docker: DockerClient,
  file: string,
  { recipe, reference, listsAt = null, signal: stop }: Building,
  packages: readonly PackageVersion[],
): Promise<void> {
  const [repo = '', tag = ''] = reference.split(':');
  const lists = listsAt === null ? [] : [`LABEL ${LISTS_LABEL}=${Math.round(listsAt)}`];
  const query = { fromSrc: '-', repo, tag, changes: [...changesOf(recipe, packages), ...lists].join('\n') };
  const timeout = AbortSignal.timeout(IMPORT_TIMEOUT_MS);
  const signal = stop === undefined ? timeout : AbortSignal.any([stop, timeout]);
  const doing = `import ${reference}`;
  const archive = createReadStream(file);
  const call = { doing, method: 'POST', path: '/images/create', query, archive, signal, timeoutMs: null } as const;
  await readMessages(await docker.stream(call), doing, signal);
}

function changesOf(recipe: DebianImage, packages: readonly PackageVersion[]): string[] {
  const { entrypoint, env = {}, ports = [] } = recipe;
  return [
    `ENTRYPOINT ${JSON.stringify(entrypoint)}`,
    ...Object.entries(env).map(([name, value]) => `ENV ${name}=${value}`),
    ...ports.map((port) => `EXPOSE ${port}`),
    `LABEL ${RECIPE_LABEL}=${recipeHash(recipe)}`,
    `LABEL ${PACKAGES_LABEL}=${formatPackages(packages)}`,
  ];
}

/** Formats Debian packages as the value of a Docker label. The value needs no quotes in a Dockerfile. */
function formatPackages(packages: readonly PackageVersion[]): string {
  return packages.map(({ name, version }) => `${name}=${version}`).join(',');
}

function parsePackages(text: string): PackageVersion[] {
  return text.split(',').flatMap((entry) => {
    const [name = '', version = ''] = entry.split('=');
    return version === '' ? [] : [{ name, version }];
  });
}

function explain(cause: unknown, recipe: DebianImage): string {
  const alternative =
    recipe.setting === undefined
      ? ''
      : ` Set ${recipe.setting} to an image that contains ${recipe.binaries.join(', ')}.`;
  if (isProgramMissing(cause)) {
    const tool = (cause as { path?: string }).path ?? 'a tool';
    return `the build uses Debian packages, but this server has no ${tool}.${alternative}`;
  }
  const reason =
    stderrOf(cause).trim() ||
    stderrOf((cause as Error).cause ?? {}).trim() ||
    (cause instanceof Error ? cause.message : String(cause));
  return `${reason.replaceAll('\n', ' ').replace(/\.$/, '')}.${alternative}`;
}
