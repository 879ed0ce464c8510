/**
 * Names of the Docker objects that Davit creates. Each name contains the Davit instance's id, so two instances can
 * share one Docker Engine.
 */
import { createHash } from 'node:crypto';
import { EngineRefused } from './errors.ts';
import type { GroupFile } from './group.ts';

/**
 * Format of a Davit instance's permanent id. The id is short, because Linux interface names contain the id and have at
 * most 15 characters.
 */
const DAVIT_ID = /^[a-z0-9]{8}$/;

/**
 * Maximum length of a repository name in the local registry. Docker allows 255 characters, and the prefix
 * `localhost:<port>/` needs up to 16.
 */
const MAX_GATEWAY_NAME = 239;

/**
 * Pattern for a lower-case host name. Underscores are allowed, because service names in Compose files can contain
 * underscores.
 */
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

/** Returns the prefix of all Docker object names of this Davit instance: `davit-<id>-`. */
export function namePrefix(davitId: string): string {
  return `davit-${davitId}-`;
}

/**
 * Returns the name prefix of the Linux bridges for this Davit instance's networks. A Linux interface name has at most
 * 15 characters.
 */
export function bridgePrefix(davitId: string): string {
  return `dv${davitId}`;
}

/** Returns the prefix of all image tags of this Davit instance: `davit-<id>/`. */
export function tagPrefix(davitId: string): string {
  return `davit-${davitId}/`;
}

/** Returns the container name of one replica of an app: `davit-<id>-<deployment>-<n>`. */
export function instanceName(davitId: string, deployment: number, n: number): string {
  return `${namePrefix(davitId)}${deployment}-${n}`;
}

/**
 * Returns the tag that protects a deployment's image from deletion: `davit-<id>/<app>:<deployment>`.
 * @param app `project/environment/app`
 */
export function heldTag(davitId: string, app: string, deployment: number): string {
  return `${tagPrefix(davitId)}${app}:${deployment}`;
}

/**
 * Returns the name of a repository in the local registry gateway: `davit-<id>/<host>/<repository>`. Docker uses this
 * name to pull images of other registries.
 */
export function gatewayRepository(davitId: string, image: { host: string; repository: string }): string {
  // Host names contain no underscores, so an underscore can safely replace the colon before the port.
  const name = `${tagPrefix(davitId)}${image.host.replace(':', '_')}/${image.repository}`;
  if (name.length <= MAX_GATEWAY_NAME) return name;
  return `${tagPrefix(davitId)}${createHash('sha256').update(`${image.host}/${image.repository}`).digest('hex')}`;
}

/**
 * Returns the name of an HAProxy container: `davit-<id>-proxy-<generation>`. The generation number increases with each
 * new HAProxy container.
 */
export function proxyName(davitId: string, generation: number): string {
  return `${namePrefix(davitId)}proxy-${generation}`;
}

/** Returns whether a container name belongs to a current or earlier HAProxy container of this Davit instance. */
export function isProxyName(davitId: string, name: string): boolean {
  return name.startsWith(`${namePrefix(davitId)}proxy-`);
}

/** Returns the name of the DNS resolver's container: `davit-<id>-names`. */
export function resolverName(davitId: string): string {
  return `${namePrefix(davitId)}names`;
}

/** Returns the name of the image registry's container: `davit-<id>-registry`. */
export function registryName(davitId: string): string {
  return `${namePrefix(davitId)}registry`;
}

/** Returns the Docker volume name of an app's volume: `davit-<id>-v<volume>`. */
export function volumeName(davitId: string, volume: number): string {
  return `${namePrefix(davitId)}v${volume}`;
}

/**
 * Returns the name of the Docker volume that identifies a data directory. The data directory contains the same token.
 * Without `token`, the method returns the prefix of the volume name.
 */
export function homeVolumeName(davitId: string, token = ''): string {
  return `${namePrefix(davitId)}home-${token}`;
}

/** Returns the name of a database's volume: `davit-<id>-db<database>`. */
export function databaseVolumeName(davitId: string, database: number): string {
  return `${namePrefix(davitId)}db${database}`;
}

/** Returns the name of a managed object store's volume: `davit-<id>-s3<store>`. */
export function storeVolumeName(davitId: string, store: number): string {
  return `${namePrefix(davitId)}s3${store}`;
}

/**
 * Returns the container name of a database or an object store. The generation number increases with each new container
 * for the same volume.
 */
export function generationName(volume: string, generation: number): string {
  return `${volume}-${generation}`;
}

/**
 * Checks the format of a Davit instance's id. A wrong id could select Docker objects of another instance.
 * @throws TypeError
 */
export function assertDavitId(davitId: string): void {
  if (!DAVIT_ID.test(davitId)) {
    throw new TypeError(
      `The ID of an instance must have eight lower-case letters and digits, but it is ${JSON.stringify(davitId)}.`,
    );
  }
}

/** Returns the name of an environment's network: `davit-<id>-e<environment>`. */
export function networkName(davitId: string, environment: number): string {
  return `${namePrefix(davitId)}e${environment}`;
}

/**
 * Returns the name of the container that runs the release command of a deployment: `davit-<id>-<deployment>-release`.
 */
export function releaseCommandName(davitId: string, deployment: number): string {
  return `${namePrefix(davitId)}${deployment}-release`;
}

/**
 * Returns the container name of a one-off command: `davit-<id>-run-<run>`. A user or a cron schedule starts such a
 * command.
 */
export function runName(davitId: string, run: number): string {
  return `${namePrefix(davitId)}run-${run}`;
}

/** Returns the deployment number from an image tag `davit-<id>/<app>:<deployment>`. */
export function heldBy(tag: string): number {
  return Number(tag.slice(tag.lastIndexOf(':') + 1));
}

/** @throws EngineRefused if the name of a container or volume lacks the id of this Davit instance */
export function assertOwnName(davitId: string, name: string): void {
  const prefix = namePrefix(davitId);
  if (name.startsWith(prefix) && name.length <= 63 && /^[a-z0-9-]+$/.test(name)) return;
  throw new EngineRefused(
    `The container cannot be created, because its name ${name} does not begin with ${prefix} or has more than 63 characters.`,
  );
}

/** Pattern for absolute paths that contain no segment `.` or `..`. */
const FILE_PATH = /^(\/(?!\.{1,2}(\/|$))[^/\0]+)+$/;

/** @throws EngineRefused if the path of a file is not absolute or contains `.` or `..` */
export function assertFiles(files: readonly GroupFile[]): void {
  for (const { path } of files) {
    if (!FILE_PATH.test(path))
      throw new EngineRefused(
        `The container cannot be created, because ${JSON.stringify(path)} is not a valid file path.`,
      );
  }
}

/** @throws EngineRefused for an internal DNS name that is not a lower-case host name */
export function assertHostName(name: string): void {
  if (!isInternalName(name))
    throw new EngineRefused(`The internal name ${JSON.stringify(name)} is not a valid host name.`);
}

/** Returns whether a text can be an internal DNS name. */
export function isInternalName(text: string): boolean {
  return HOST_NAME.test(text);
}
