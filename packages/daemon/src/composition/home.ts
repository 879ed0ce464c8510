/**
 * Binds an instance to one data directory and one Docker installation. Otherwise, a copied data directory with the same
 * instance id would remove containers of the original instance.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import type { Engine } from '../adapters/engine/engine.ts';
import { EngineUnavailable } from '../adapters/engine/errors.ts';
import type { HeldImage } from '../adapters/engine/image.ts';
import { homeVolumeName } from '../adapters/engine/names.ts';
import type { Config } from '../config/config.ts';
import { markedId } from '../config/instance-id.ts';
import { readSetting, writeSetting } from '../db/tables/settings.ts';
import { noteUnrecordedImages } from '../resources/images/unrecorded.ts';
import { keepNumbersFree } from '../resources/volumes/unrecorded.ts';
import type { State } from './state.ts';

/**
 * Error at startup if the data directory is a copy, or if Docker is another installation. The message explains how to
 * move the instance.
 */
export class NotAtHome extends Error {
  override name = 'NotAtHome';
}

export interface HomeParts {
  config: Pick<Config, 'dataDir' | 'adopt'>;
  state: Pick<State, 'id' | 'store'>;
  engine: Engine;
}

interface DataDirIdentity {
  /** Content of /etc/machine-id, or an empty string if the system has no such file. */
  machine: string;
  /** Path of the data directory, with all symbolic links resolved. */
  path: string;
  device: string;
  inode: string;
}

/**
 * Data directory and Docker installation to which an instance is bound. A copied data directory has a different path.
 * Another Docker installation has a different id. A confirmed move creates a new token.
 */
interface Home extends DataDirIdentity {
  /** Id of the Docker installation, as shown by `docker info`. */
  engine: string;
  token: string;
}

/** Setting with the binding of the instance, as JSON. */
export const HOME = 'home';

/**
 * Records the data directory and the Docker installation of an instance at the first start. At later starts, checks
 * that both are the same.
 * @returns `false` if Docker does not respond. In this case, only the path is checked.
 * @throws NotAtHome
 */
export async function bindHome({ config, state, engine }: HomeParts): Promise<boolean> {
  // An instance with simulated Docker can be copied, because it has no real containers.
  if (engine.capabilities.simulated) return true;
  const known = homeOf(state);
  const identity = identityOf(config.dataDir);
  const seen = await seenAt(engine, state.id);
  const problem = problemOf(known, identity, seen);
  const code = problem === null ? null : codeOf(known, identity, seen);
  if (problem !== null && (seen === null || config.adopt !== code))
    throw refusal(problem, known, config.dataDir, code, seen);
  if (seen === null) return false;
  // A moved data directory gets a new token. Davit then refuses to start from a copy with the old token.
  const stays = problem === null && known?.path === identity.path && known.inode === identity.inode;
  const token = stays ? known.token : randomBytes(8).toString('hex');
  const home: Home = { ...identity, engine: seen.engine, token };
  const record = () => state.store.tx((tx) => writeSetting(tx, HOME, JSON.stringify(home)));
  /*
   * The token is saved before the volume is created. Otherwise, the next start could find a volume with an unknown
   * token.
   */
  if (known === null) record();
  // The new volume is created before old volumes are removed, because a volume with the saved token must always exist.
  if (!seen.tokens.includes(token)) await engine.ensureVolume(homeVolumeName(state.id, token), HOME);
  if (known !== null && JSON.stringify(known) !== JSON.stringify(home)) record();
  for (const other of seen.tokens) if (other !== token) await engine.removeVolume(homeVolumeName(state.id, other));
  // The ids of all Docker volumes are reserved. An older copy of the database may not contain some of these ids.
  keepNumbersFree(state.store, state.id, seen.volumes);
  noteUnrecordedImages({ store: state.store, now: Date.now }, seen.held);
  return true;
}

/**
 * Checks that Docker objects with the id of an instance belong to this data directory, and not to the original or to a
 * copy of the directory.
 * @param home stored binding of the instance, or `undefined` if it is unknown
 * @param volumes names of the instance's Docker volumes
 * @returns the data directory to which the objects belong, `another data directory` if its path is unknown, or `null`
 * if they belong to this directory
 */
export function otherOwner(
  home: string | undefined,
  { id, dataDir, volumes }: { id: string; dataDir: string; volumes: readonly string[] },
): string | null {
  if (home === undefined) return null;
  const known = JSON.parse(home) as Home;
  // A directory that was moved to another file system has no original anymore.
  if (!isSame(known, identityOf(dataDir)) && markedId(known.path) === id) return known.path;
  const tokens = volumes.filter((name) => name.startsWith(homeVolumeName(id)));
  return tokens.length > 0 && !tokens.includes(homeVolumeName(id, known.token)) ? 'another data directory' : null;
}

/**
 * Waits until Docker responds, then binds the instance to the Docker installation. All other requests to Docker are
 * blocked until then.
 * @returns `false` if the signal aborts first
 * @throws NotAtHome
 */
export async function bindHomeLater(parts: HomeParts, signal: AbortSignal): Promise<boolean> {
  const ended = new AbortController();
  // The daemon listens for Docker events before the first check. Otherwise, it could miss the start of Docker.
  const events = parts.engine.watch(AbortSignal.any([signal, ended.signal]));
  try {
    if (await tryToBind(parts)) return true;
    for await (const _ of events) if (await tryToBind(parts)) return true;
    return false;
  } finally {
    ended.abort();
  }
}

/**
 * Checks that the instance may use this Docker installation.
 * @returns `false` if Docker does not respond. The next Docker event then causes another check.
 */
async function tryToBind(parts: HomeParts): Promise<boolean> {
  try {
    return await bindHome(parts);
  } catch (error) {
    if (error instanceof EngineUnavailable) return false;
    throw error;
  }
}

type Seen = { engine: string; tokens: string[]; volumes: string[]; held: HeldImage[] };
type Problem = 'moved' | 'other engine' | 'taken over';

function problemOf(known: Home | null, identity: DataDirIdentity, seen: Seen | null): Problem | null {
  if (known !== null && !isSame(known, identity)) return 'moved';
  if (seen === null) return null;
  const isOurs = known !== null && seen.tokens.includes(known.token);
  if (seen.tokens.length > 0 && !isOurs) return 'taken over';
  return known !== null && known.engine !== seen.engine && !isOurs ? 'other engine' : null;
}

/**
 * Returns whether the data directory is the same as in the record. The directory must be on the same server. It must
 * also have the same path, or be the same directory with a new path.
 */
function isSame(known: DataDirIdentity, identity: DataDirIdentity): boolean {
  const isWhereItWas = known.path === identity.path;
  const isTheSameFolder = known.device === identity.device && known.inode === identity.inode;
  return known.machine === identity.machine && (isWhereItWas || isTheSameFolder);
}

const WHY: Record<Problem, (known: Home | null, dataDir: string) => string> = {
  moved: (known, dataDir) =>
    `The data directory ${dataDir} is a copy of the data directory ${known?.path}. Two instances with the same ID would remove each other’s containers.`,
  'other engine': (_, dataDir) => `The apps of the instance in ${dataDir} and their data are in another Docker Engine.`,
  'taken over': (_, dataDir) =>
    `The containers of this instance now belong to a data directory other than ${dataDir}. Two instances with the same ID would remove each other’s containers.`,
};

function refusal(
  problem: Problem,
  known: Home | null,
  dataDir: string,
  code: string | null,
  seen: Seen | null,
): NotAtHome {
  const away =
    ' To move the instance to this data directory, start Docker and then Davit. Davit then shows the next step.';
  const how = ` To move the instance to this data directory, stop the other daemon, then start Davit once with --adopt ${code}.`;
  return new NotAtHome(`${WHY[problem](known, dataDir)}${seen === null ? away : how}`);
}

/**
 * Returns the code with which the operator confirms a move of the data directory. Each move has a different code. An
 * old code in a systemd unit file therefore does not confirm a new move.
 */
function codeOf(known: Home | null, { machine, path }: DataDirIdentity, seen: Seen | null): string {
  const move = [known?.token, known?.path, machine, path, seen?.engine, ...(seen?.tokens ?? []).toSorted()];
  return createHash('sha256').update(JSON.stringify(move)).digest('hex').slice(0, 8);
}

function homeOf({ store }: Pick<State, 'store'>): Home | null {
  const text = readSetting(store, HOME);
  return text === undefined ? null : (JSON.parse(text) as Home);
}

function identityOf(dataDir: string): DataDirIdentity {
  const path = realpathSync(dataDir);
  const { dev, ino } = statSync(path, { bigint: true });
  return { machine: machineId(), path, device: String(dev), inode: String(ino) };
}

function machineId(): string {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim();
  } catch {
    // Some systems have no /etc/machine-id. On these systems, Davit identifies the server by the id of Docker.
    return '';
  }
}

/**
 * Returns the id of the Docker installation, and the volumes and images of this Davit instance in Docker. Returns
 * `null` if Docker does not respond.
 */
async function seenAt(engine: Engine, davitId: string): Promise<Seen | null> {
  try {
    const { id } = await engine.info();
    const start = homeVolumeName(davitId);
    const names = (await engine.volumes()).map(({ name }) => name);
    return {
      engine: id,
      volumes: names,
      held: await engine.inspectHeld(),
      tokens: names.filter((name) => name.startsWith(start)).map((name) => name.slice(start.length)),
    };
  } catch (error) {
    if (error instanceof EngineUnavailable) return null;
    throw error;
  }
}
