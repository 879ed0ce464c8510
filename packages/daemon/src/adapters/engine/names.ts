/**
 * The names that an adapter gives to what it makes. Each carries the permanent id of this Davit, so that two Davits on
 * one engine never take each other's objects for their own.
 */
import { createHash } from 'node:crypto';
import { EngineRefused } from './errors.ts';
import type { GroupFile } from './group.ts';

/** The permanent id of a Davit: eight lower-case letters and digits, so that it fits into an interface's name. */
const DAVIT_ID = /^[a-z0-9]{8}$/;

/** The engine's limit for a name is 255 with `localhost:<port>/`. */
const MAX_GATEWAY_NAME = 239;

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** The start of every name of ours: `davit-<id>-`. */
export function namePrefix(davitId: string): string {
  return `davit-${davitId}-`;
}

/** The start of the names of the bridges of this Davit's networks; an interface's name has at most 15 characters. */
export function bridgePrefix(davitId: string): string {
  return `dv${davitId}`;
}

/** The start of every held tag of ours: `davit-<id>/`. */
export function tagPrefix(davitId: string): string {
  return `davit-${davitId}/`;
}

/** The name of a container: `davit-<id>-<deployment>-<n>`. */
export function instanceName(davitId: string, deployment: number, n: number): string {
  return `${namePrefix(davitId)}${deployment}-${n}`;
}

/**
 * The tag that holds a deployment's image: `davit-<id>/<app>:<deployment>`.
 * @param app its reference, `project/environment/app`: slugs are what an engine takes as a repository's name
 */
export function heldTag(davitId: string, app: string, deployment: number): string {
  return `${tagPrefix(davitId)}${app}:${deployment}`;
}

/**
 * The repository at the daemon's gateway from which the engine pulls an image of another registry:
 * `davit-<id>/<host>/<repository>`. The engine keeps it as the name of the image's digest.
 */
export function gatewayRepository(davitId: string, image: { host: string; repository: string }): string {
  // A host has no underscore, so that the form with one means a port.
  const name = `${tagPrefix(davitId)}${image.host.replace(':', '_')}/${image.repository}`;
  if (name.length <= MAX_GATEWAY_NAME) return name;
  return `${tagPrefix(davitId)}${createHash('sha256').update(`${image.host}/${image.repository}`).digest('hex')}`;
}

/** The name of one of the proxy's containers, which follow each other: `davit-<id>-proxy-<generation>`. */
export function proxyName(davitId: string, generation: number): string {
  return `${namePrefix(davitId)}proxy-${generation}`;
}

/** Whether this is the name of a container of the proxy, of any generation. */
export function isProxyName(davitId: string, name: string): boolean {
  return name.startsWith(`${namePrefix(davitId)}proxy-`);
}

/** The name of the resolver's container: `davit-<id>-names`. */
export function resolverName(davitId: string): string {
  return `${namePrefix(davitId)}names`;
}

/** The name of the registry's container: `davit-<id>-registry`. */
export function registryName(davitId: string): string {
  return `${namePrefix(davitId)}registry`;
}

/** The name of a volume: `davit-<id>-v<volume>`. */
export function volumeName(davitId: string, volume: number): string {
  return `${namePrefix(davitId)}v${volume}`;
}

/**
 * The name of the empty volume that says which data directory the instance belongs to: `davit-<id>-home-<token>`. Without
 * a token, the start of that name.
 */
export function homeVolumeName(davitId: string, token = ''): string {
  return `${namePrefix(davitId)}home-${token}`;
}

/** The name of a database's volume: `davit-<id>-db<database>`. */
export function databaseVolumeName(davitId: string, database: number): string {
  return `${namePrefix(davitId)}db${database}`;
}

/** The name of a managed object store's volume: `davit-<id>-s3<store>`. */
export function storeVolumeName(davitId: string, store: number): string {
  return `${namePrefix(davitId)}s3${store}`;
}

/** The name of one of the containers of a database or a store, which follow each other: `<its volume's name>-<generation>`. */
export function generationName(volume: string, generation: number): string {
  return `${volume}-${generation}`;
}

/** @throws TypeError for an id that could not be told from another's in a name */
export function assertDavitId(davitId: string): void {
  if (!DAVIT_ID.test(davitId)) {
    throw new TypeError(`a Davit's id is eight lower-case letters and digits, not ${JSON.stringify(davitId)}`);
  }
}

/** The name of an environment's network: `davit-<id>-e<environment>`. */
export function networkName(davitId: string, environment: number): string {
  return `${namePrefix(davitId)}e${environment}`;
}

/** The name of the container in which a deployment's release command runs. */
export function releaseCommandName(davitId: string, deployment: number): string {
  return `${namePrefix(davitId)}${deployment}-release`;
}

/** The name of the container in which a command runs that somebody or a schedule asked for. */
export function runName(davitId: string, run: number): string {
  return `${namePrefix(davitId)}run-${run}`;
}

/** The deployment whose image a held tag keeps. */
export function heldBy(tag: string): number {
  return Number(tag.slice(tag.lastIndexOf(':') + 1));
}

/** @throws EngineRefused for the name of a container or volume that does not carry this Davit's id */
export function assertOwnName(davitId: string, name: string): void {
  const prefix = namePrefix(davitId);
  if (name.startsWith(prefix) && name.length <= 63 && /^[a-z0-9-]+$/.test(name)) return;
  throw new EngineRefused(`create container: the name ${name} is not ${prefix}… of at most 63 characters`);
}

/** Absolute, and without parts that lead elsewhere. */
const FILE_PATH = /^(\/(?!\.{1,2}(\/|$))[^/\0]+)+$/;

/** @throws EngineRefused for a file that has no place in a container */
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
