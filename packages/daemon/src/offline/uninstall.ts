/**
 * Removes an instance from the server. The program needs only the file `instance-id` and the labels and names of the
 * Docker objects. It therefore also works if the database is damaged, and after an interruption.
 */
import { join } from 'node:path';
import { EngineUnavailable } from '../adapters/engine/errors.ts';
import { assertDavitId } from '../adapters/engine/names.ts';
import type { EngineObject, InstanceRemoval, RemainingObject } from '../adapters/engine/removal.ts';
import { chooseRemoval } from '../composition/adapters.ts';
import { HOME, otherOwner } from '../composition/home.ts';
import type { Config } from '../config/config.ts';
import { MARK, markedId } from '../config/instance-id.ts';
import { readFacts } from '../db/recovery/facts.ts';
import { ActionFailed } from './action.ts';
import { daemonOf, serviceOf, stopAndLock } from './daemon-process.ts';
import { type KeptPath, ownPaths, removeDataDir } from './data-files.ts';

export interface UninstallPlan {
  instance: string;
  dataDir: string;
  /** Process id of the daemon, or `null` if the daemon is stopped. */
  daemon: number | null;
  /** systemd service of the daemon, or `null`. */
  service: string | null;
  /** Docker objects that will be removed, in the order of their removal. */
  objects: EngineObject[];
  /** Docker volumes that stay, because they contain data. */
  keptVolumes: string[];
  /** Files and folders of the data directory that will be removed. */
  files: string[];
}

export interface UninstallResult {
  kept: RemainingObject[];
  keptPaths: KeptPath[];
  /** Tags of images that all instances share. `null` if another instance exists, which may use these images. */
  sharedTags: string[] | null;
}

export interface UninstallOptions {
  /** Whether volumes and the data directory are removed too. */
  deleteData: boolean;
}

/**
 * Lists all objects of the instance in a data directory, without changes.
 * @throws ActionFailed if the folder has no instance, or if Docker does not respond
 */
export async function planUninstall(config: Config, { deleteData }: UninstallOptions): Promise<UninstallPlan> {
  const { dataDir } = config;
  const instance = instanceOf(dataDir);
  await using removal = removalOf(config, instance);
  const objects = await listed(removal);
  demandOwner(dataDir, instance, objects);
  const daemon = daemonOf(dataDir);
  return {
    ...{ instance, dataDir, daemon },
    service: daemon === null ? null : serviceOf(daemon),
    objects: objects.filter(({ kind }) => deleteData || kind !== 'volume'),
    keptVolumes: deleteData ? [] : objects.flatMap(({ kind, name }) => (kind === 'volume' ? [name] : [])),
    files: deleteData ? ownPaths(dataDir) : [],
  };
}

/**
 * Stops the daemon and removes the instance. Without `deleteData`, all volumes and the data directory stay.
 * @param onRemoved called after each removal, with the kind and the name or path
 * @throws DaemonNotStopped, EngineUnavailable, EngineRefused
 */
export async function removeInstanceOf(
  config: Config,
  { deleteData }: UninstallOptions,
  onRemoved: (kind: EngineObject['kind'] | 'file', name: string) => void,
): Promise<UninstallResult> {
  const { dataDir } = config;
  const instance = instanceOf(dataDir);
  await using removal = removalOf(config, instance);
  // Without this check, the daemon would be stopped although Docker cannot remove anything.
  demandOwner(dataDir, instance, await listed(removal));
  using _lock = await stopAndLock(dataDir);
  const take = ({ kind, name }: EngineObject) => onRemoved(kind, name);
  const kept = (await removal?.remove({ volumes: deleteData, onRemoved: take })) ?? [];
  const sharedTags = (await removal?.sharedTags()) ?? null;
  const keptPaths = deleteData
    ? await removeDataDir(dataDir, kept.length === 0, (path) => onRemoved('file', path))
    : [];
  return { kept, keptPaths, sharedTags };
}

function instanceOf(dataDir: string): string {
  const id = readId(dataDir);
  if (id === null)
    throw new ActionFailed(
      'not_found',
      `The folder ${dataDir} contains no instance: the file instance-id is missing. Specify the data directory with --data-dir.`,
    );
  return id;
}

/** @throws ActionFailed if the file with the id cannot be read, or contains something else */
function readId(dataDir: string): string | null {
  try {
    const id = markedId(dataDir);
    if (id !== null) assertDavitId(id);
    return id;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === undefined ? 'contains no valid ID' : `cannot be read (${code})`;
    const advice = 'Run the command as the user that runs Davit, or restore the file from a backup.';
    throw new ActionFailed('failed', `The file ${join(dataDir, MARK)} ${why}. ${advice} Nothing was removed.`, {
      cause,
    });
  }
}

/** Returns an object that can remove the Docker objects, or `null` if the instance simulates Docker. */
function removalOf(config: Config, instance: string): InstanceRemoval | null {
  const isSimulated = stored(config.dataDir, 'engine') === 'memory';
  return chooseRemoval(isSimulated ? { ...config, engine: 'memory' } : config, instance);
}

/** Returns a setting from the database, or `undefined` if the database is not readable. */
function stored(dataDir: string, key: string): string | undefined {
  return readFacts(join(dataDir, 'davit.db'))?.settings.get(key);
}

/** @throws ActionFailed if the data directory is a copy, so that its objects belong to another directory */
function demandOwner(dataDir: string, id: string, objects: readonly EngineObject[]): void {
  const volumes = objects.filter(({ kind }) => kind === 'volume').map(({ name }) => name);
  const owner = otherOwner(stored(dataDir, HOME), { id, dataDir, volumes });
  if (owner === null) return;
  throw new ActionFailed(
    'conflict',
    `The Docker objects of the instance ${id} belong to ${owner}, and ${dataDir} is a copy. Nothing was removed. Run the command with the original data directory.`,
  );
}

async function listed(removal: InstanceRemoval | null): Promise<EngineObject[]> {
  try {
    return (await removal?.list()) ?? [];
  } catch (cause) {
    if (!(cause instanceof EngineUnavailable)) throw cause;
    throw new ActionFailed('busy', `${cause.message} Nothing was removed.`, { cause });
  }
}
