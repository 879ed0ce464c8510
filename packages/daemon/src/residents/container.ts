/**
 * The container of a resident, of which there is one at a time: its generations are numbered, so that a step that is taken
 * again after a crash knows which one it was about. The data is a volume, which no container takes along.
 */
import type { Group, Limits } from '../engine/group.ts';
import { generationName, networkName } from '../engine/names.ts';
import type { Network } from '../engine/network.ts';
import type { Base } from '../release/base.ts';
import { freeAddress } from '../tasks/free-address.ts';
import { TaskFailed } from '../tasks/kind.ts';
import type { Resident, ResidentRow } from './resident.ts';

/** Processes and threads: what servers start for each connection, with room. */
const PIDS = 4_096;

/** The engine's name of its container. */
export function containerName<R extends ResidentRow>(kind: Resident<R>, davitId: string, row: R): string {
  return generationName(kind.volumeName(davitId, row.id), row.generation);
}

/** @throws TaskFailed when it is gone */
export function rowOf<R extends ResidentRow>(kind: Resident<R>, { store }: Pick<Base, 'store'>, id: number): R {
  const row = kind.find(store, id);
  if (row === null) throw new TaskFailed(`The ${kind.noun} is gone.`);
  return row;
}

export function residentLimits({ cpu, memory_bytes: memoryBytes }: ResidentRow): Limits {
  return { cpu, memoryBytes, pids: PIDS };
}

/**
 * Has a container of this generation run, and none of another one. The one before is stopped first: two must not write to the
 * same files. May be called again after any part of it was done.
 */
export async function bringUp<R extends ResidentRow>(
  kind: Resident<R>,
  base: Base,
  id: number,
  generation: number,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  if (rowOf(kind, base, id).generation < generation) {
    await takeDown(kind, base, rowOf(kind, base, id));
    base.store.tx((tx) => kind.change(tx, id, { generation, seen: 'unknown', reason: null }));
  }
  if (rowOf(kind, base, id).container_id === null) await create(kind, base, id, signal);
  const { container_id } = rowOf(kind, base, id);
  if (container_id !== null) await base.engine.start(container_id, signal);
}

/** Stops its container and removes it; the data stays. May be called again. */
export async function takeDown<R extends ResidentRow>(
  kind: Resident<R>,
  { engine, store, facts }: Base,
  row: R,
): Promise<void> {
  const container = row.container_id ?? containerName(kind, facts.id, row);
  await engine.stop(container, kind.stop(row));
  await engine.remove(container);
  store.tx((tx) => {
    // By the time that it has ended another one may be there.
    if (kind.find(tx, row.id)?.generation === row.generation)
      kind.change(tx, row.id, { container_id: null, applied: null });
  });
}

/** Whether its container is as the record wants it, apart from what is changed while it runs. */
export function isCurrent<R extends ResidentRow>(kind: Resident<R>, row: R): boolean {
  return row.container_id !== null && row.applied === JSON.stringify(kind.madeOf(row));
}

async function create<R extends ResidentRow>(
  kind: Resident<R>,
  base: Base,
  id: number,
  signal: AbortSignal,
): Promise<void> {
  const { engine, facts, store } = base;
  await kind.ensureImage(base, rowOf(kind, base, id), signal);
  const { volume, environment_id } = rowOf(kind, base, id);
  await endOthers(kind, base, id, volume);
  await engine.ensureVolume(volume, kind.reference(rowOf(kind, base, id)), kind.noun);
  const network = await engine.ensureNetwork(networkName(facts.id, environment_id));
  claimAddress(kind, base, id, network);
  const row = rowOf(kind, base, id);
  const [container_id = ''] = await engine.createGroup(groupOf(kind, base, row, network), signal);
  store.tx((tx) => kind.change(tx, id, { container_id, applied: JSON.stringify(kind.madeOf(row)) }));
}

/** Two servers on the same files destroy them. @throws EngineRefused for one that cannot be ended */
async function endOthers<R extends ResidentRow>(
  kind: Resident<R>,
  base: Base,
  id: number,
  volume: string,
): Promise<void> {
  const isOther = (row: R) => row.id !== id && row.volume === volume && row.container_id !== null;
  for (const row of kind.all(base.store).filter(isOther)) await takeDown(kind, base, row);
}

/** On record before the container is made, so that nobody else gets it. */
function claimAddress<R extends ResidentRow>(kind: Resident<R>, { store }: Base, id: number, network: Network): void {
  store.tx((tx) => {
    const row = kind.find(tx, id);
    if (row === null || row.address !== null) return;
    kind.change(tx, id, { address: freeAddress(tx, network, row) });
  });
}

function groupOf<R extends ResidentRow>(kind: Resident<R>, base: Base, row: R, network: Network): Group {
  const { dataPath, exposedPort, ...own } = kind.serving(base, row, network);
  const port = kind.port(row);
  if (row.image_id === null || row.address === null)
    throw new TaskFailed(`The ${kind.noun} has no image or no address yet.`);
  return {
    ...own,
    kind: kind.noun,
    app: kind.reference(row),
    deployment: null,
    imageId: row.image_id,
    network: network.name,
    command: null,
    limits: residentLimits(row),
    stopSignal: kind.stop(row).signal,
    volumes: [{ name: row.volume, path: dataPath }],
    tcpPorts: port === null ? [] : [{ hostPort: port, containerPort: exposedPort }],
    members: [{ name: containerName(kind, base.facts.id, row), address: row.address, env: {} }],
  };
}
