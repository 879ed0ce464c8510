/**
 * The container of a database, of which there is one at a time: its generations are numbered, so that a step that is taken
 * again after a crash knows which one it was about. The data is a volume, which no container takes along.
 */
import type { Group, Limits } from '../engine/group.ts';
import { databaseContainerName, networkName } from '../engine/names.ts';
import type { Network } from '../engine/network.ts';
import type { Base } from '../release/base.ts';
import {
  allDatabases,
  type DatabaseRow,
  databaseById,
  databaseReference,
  extensionsOf,
  setDatabase,
} from '../store/managed-database.ts';
import { freeAddress } from '../tasks/free-address.ts';
import { TaskFailed } from '../tasks/kind.ts';
import { DIALECTS } from './dialects/index.ts';
import { ensureImage } from './image.ts';
import { databaseFacts, sqlName } from './secrets.ts';

/** Processes and threads: what the engines start for each connection, with room. */
const PIDS = 4_096;

/** @throws TaskFailed when it is gone */
export function databaseRow({ store }: Pick<Base, 'store'>, id: number): DatabaseRow {
  const row = databaseById(store, id);
  if (row === undefined) throw new TaskFailed('The database is gone.');
  return row;
}

export function databaseLimits({ cpu, memory_bytes: memoryBytes }: DatabaseRow): Limits {
  return { cpu, memoryBytes, pids: PIDS };
}

/**
 * Has a container of this generation run, and none of another one. The one before is stopped first: two must not write to the
 * same files. May be called again after any part of it was done.
 */
export async function bringUp(base: Base, id: number, generation: number, signal?: AbortSignal): Promise<void> {
  if (databaseRow(base, id).generation < generation) {
    await takeDown(base, databaseRow(base, id));
    base.store.tx((tx) => setDatabase(tx, id, { generation, observed: 'unknown', reason: null }));
  }
  if (databaseRow(base, id).container_id === null) await create(base, id, signal);
  const { container_id } = databaseRow(base, id);
  if (container_id !== null) await base.engine.start(container_id, signal);
}

/** Stops its container and removes it; the data stays. May be called again. */
export async function takeDown({ engine, store, facts }: Base, row: DatabaseRow): Promise<void> {
  const container = row.container_id ?? databaseContainerName(facts.id, row.id, row.generation);
  await engine.stop(container, DIALECTS[row.engine].stop);
  await engine.remove(container);
  store.tx((tx) => {
    // By the time that it has ended another one may be there.
    if (databaseById(tx, row.id)?.generation === row.generation)
      setDatabase(tx, row.id, { container_id: null, applied: null });
  });
}

/** Whether its container is as the record wants it, apart from what is changed while it runs. */
export function isCurrent(row: DatabaseRow): boolean {
  return row.container_id !== null && row.applied === wantedContainer(row);
}

/** What a container is made of; limits and logins are changed while it runs. */
function wantedContainer(row: DatabaseRow): string {
  const { image_id, exposed_port, options, engine } = row;
  const loaded = DIALECTS[engine].loaded?.(extensionsOf(row).map(sqlName)) ?? [];
  return JSON.stringify([image_id, exposed_port, options, loaded]);
}

async function create(base: Base, id: number, signal?: AbortSignal): Promise<void> {
  const { engine, facts, store } = base;
  await ensureImage(base, id, signal ?? new AbortController().signal);
  await endOthers(base, id);
  const { volume, environment_id, ...names } = databaseRow(base, id);
  await engine.ensureVolume(volume, databaseReference(names), 'database');
  const network = await engine.ensureNetwork(networkName(facts.id, environment_id));
  claimAddress(base, id, network);
  const row = databaseRow(base, id);
  const [containerId = ''] = await engine.createGroup(groupOf(base, row, network), signal);
  store.tx((tx) => setDatabase(tx, id, { container_id: containerId, applied: wantedContainer(row) }));
}

/** Two servers on the same files destroy them. @throws EngineRefused for one that cannot be ended */
async function endOthers(base: Base, id: number): Promise<void> {
  const { volume } = databaseRow(base, id);
  const isOther = (row: DatabaseRow) => row.id !== id && row.volume === volume && row.container_id !== null;
  for (const row of allDatabases(base.store).filter(isOther)) await takeDown(base, row);
}

/** On record before the container is made, so that nobody else gets it. */
function claimAddress({ store }: Base, id: number, network: Network): void {
  store.tx((tx) => {
    const row = databaseById(tx, id);
    if (row === undefined || row.address !== null) return;
    setDatabase(tx, id, { address: freeAddress(tx, network, row) });
  });
}

function groupOf({ sealer, facts }: Base, row: DatabaseRow, network: Network): Group {
  const dialect = DIALECTS[row.engine];
  const { env, args, files } = dialect.serve(databaseFacts(sealer, row), network.gateway);
  const further = row.options === null ? [] : (JSON.parse(row.options) as string[]);
  if (row.image_id === null || row.address === null)
    throw new TaskFailed('The database has no image or no address yet.');
  return {
    kind: 'database',
    app: databaseReference(row),
    deployment: null,
    imageId: row.image_id,
    network: network.name,
    env,
    command: null,
    args: [...(args ?? []), ...further],
    limits: databaseLimits(row),
    stopSignal: dialect.stop.signal,
    volumes: [{ name: row.volume, path: dialect.dataPath }],
    tcpPorts: row.exposed_port === null ? [] : [{ hostPort: row.exposed_port, containerPort: dialect.exposedPort }],
    files,
    members: [{ name: databaseContainerName(facts.id, row.id, row.generation), address: row.address, env: {} }],
  };
}
