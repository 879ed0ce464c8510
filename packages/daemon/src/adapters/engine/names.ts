/**
 * Names of the objects that an adapter creates. Each name contains the permanent id of this Davit instance, so that two
 * instances on one engine never use each other's objects.
 */
import { createHash } from 'node:crypto';
import { EngineRefused } from './errors.ts';
import type { GroupFile } from './group.ts';

/**
 * Permanent id of a Davit instance: eight lower-case letters and digits. The id is short because it is part of an
 * interface name.
 */
const DAVIT_ID = /^[a-z0-9]{8}$/;

/**
 * Maximum length of a repository name at the gateway. The engine allows 255 characters, including `localhost:<port>/`.
 */
const MAX_GATEWAY_NAME = 239;

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** Returns the prefix of all object names of this instance: `davit-<id>-`. */
export function namePrefix(davitId: string): string {
  return `davit-${davitId}-`;
}

/** Returns the prefix of the bridge names of this instance's networks. An interface name has at most 15 characters. */
export function bridgePrefix(davitId: string): string {
  return `dv${davitId}`;
}

/** Returns the prefix of all tags with which this instance keeps images: `davit-<id>/`. */
export function tagPrefix(davitId: string): string {
  return `davit-${davitId}/`;
}

/** Returns the name of a replica's container: `davit-<id>-<deployment>-<n>`. */
export function instanceName(davitId: string, deployment: number, n: number): string {
  return `${namePrefix(davitId)}${deployment}-${n}`;
}

/**
 * Returns the tag that keeps the image of a deployment: `davit-<id>/<app>:<deployment>`.
 * @param app reference of the app, `project/environment/app`; its slugs are valid in a repository name
 */
export function heldTag(davitId: string, app: string, deployment: number): string {
  return `${tagPrefix(davitId)}${app}:${deployment}`;
}

/**
 * Returns the repository at the daemon's gateway from which the engine pulls an image of another registry:
 * `davit-<id>/<host>/<repository>`. The engine keeps this repository in the name of the image's digest.
 */
export function gatewayRepository(davitId: string, image: { host: string; repository: string }): string {
  // A host name has no underscore, so an underscore always stands for the colon before a port.
  const name = `${tagPrefix(davitId)}${image.host.replace(':', '_')}/${image.repository}`;
  if (name.length <= MAX_GATEWAY_NAME) return name;
  return `${tagPrefix(davitId)}${createHash('sha256').update(`${image.host}/${image.repository}`).digest('hex')}`;
}

/**
 * Returns the name of a proxy container: `davit-<id>-proxy-<generation>`. Each new proxy container has the next
 * generation.
 */
export function proxyName(davitId: string, generation: number): string {
  return `${namePrefix(davitId)}proxy-${generation}`;
}

/** Returns whether a name belongs to a proxy container of any generation. */
export function isProxyName(davitId: string, name: string): boolean {
  return name.startsWith(`${namePrefix(davitId)}proxy-`);
}

/** Returns the name of the resolver's container: `davit-<id>-names`. */
export function resolverName(davitId: string): string {
  return `${namePrefix(davitId)}names`;
}

/** Returns the name of the registry's container: `davit-<id>-registry`. */
export function registryName(davitId: string): string {
  return `${namePrefix(davitId)}registry`;
}

/** Returns the name of a volume: `davit-<id>-v<volume>`. */
export function volumeName(davitId: string, volume: number): string {
  return `${namePrefix(davitId)}v${volume}`;
}

/**
 * Returns the name of the empty volume that identifies the data directory of the instance: `davit-<id>-home-<token>`.
 * Without a token, returns the prefix of that name.
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
 * Returns the name of a container of a database or an object store: `<name of the volume>-<generation>`. Each new
 * container has the next generation.
 */
export function generationName(volume: string, generation: number): string {
  return `${volume}-${generation}`;
}

/**
 * Checks the format of a permanent id, so that a name with the id cannot match another instance.
 * @throws TypeError for an invalid id
 */
export function assertDavitId(davitId: string): void {
  if (!DAVIT_ID.test(davitId)) {
    throw new TypeError(
      `the id of an instance has eight lower-case letters and digits, not ${JSON.stringify(davitId)}`,
    );
  }
}

/** Returns the name of an environment's network: `davit-<id>-e<environment>`. */
export function networkName(davitId: string, environment: number): string {
  return `${namePrefix(davitId)}e${environment}`;
}

/** Returns the name of the container that runs the release command of a deployment. */
export function releaseCommandName(davitId: string, deployment: number): string {
  return `${namePrefix(davitId)}${deployment}-release`;
}

/** Returns the name of the container that runs a command of a user or a schedule. */
export function runName(davitId: string, run: number): string {
  return `${namePrefix(davitId)}run-${run}`;
}

/** Returns the number of the deployment whose image a tag keeps. */
export function heldBy(tag: string): number {
  return Number(tag.slice(tag.lastIndexOf(':') + 1));
}

/** @throws EngineRefused if the name of a container or volume does not contain the id of this instance */
export function assertOwnName(davitId: string, name: string): void {
  const prefix = namePrefix(davitId);
  if (name.startsWith(prefix) && name.length <= 63 && /^[a-z0-9-]+$/.test(name)) return;
  throw new EngineRefused(`create container: the name ${name} is not ${prefix}… of at most 63 characters`);
}

/** Pattern for absolute paths without the parts `.` and `..`. */
const FILE_PATH = /^(\/(?!\.{1,2}(\/|$))[^/\0]+)+$/;

/** @throws EngineRefused if the path of a file is not absolute or contains `.` or `..` */
export function assertFiles(files: readonly GroupFile[]): void {
  for (const { path } of files) {
    if (!FILE_PATH.test(path))
      throw new EngineRefused(`create container: ${JSON.stringify(path)} is not a file's path`);
  }
}

/** @throws EngineRefused for an internal name that is not a lower-case host name */
export function assertHostName(name: string): void {
  if (!HOST_NAME.test(name)) throw new EngineRefused(`publish names: ${JSON.stringify(name)} is not a host name`);
}
