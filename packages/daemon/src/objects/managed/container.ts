/**
 * The container of a store that the instance runs, of which there is one at a time: its generations are numbered, so that a
 * step that is taken again after a crash knows which one it was about. The objects are in a volume, which no container takes
 * along.
 */
import type { Group, Limits } from '../../engine/group.ts';
import { networkName, storeContainerName } from '../../engine/names.ts';
import type { Network } from '../../engine/network.ts';
import type { Base } from '../../release/base.ts';
import { storeAccess } from '../../release/store-access.ts';
import { managedStoreById, setManagedStore } from '../../store/managed-store.ts';
import type { ManagedStoreRow } from '../../store/object-store.ts';
import { freeAddress } from '../../tasks/free-address.ts';
import { TaskFailed } from '../../tasks/kind.ts';
import { STORE_PORT } from '../place.ts';
import { ensureImage } from './image.ts';
import { KEYS_FILE, keysFile, SERVE } from './seaweed.ts';

const PIDS = 4_096;
export const STORE_STOP = { signal: 'SIGTERM', graceS: 30 };

/** @throws TaskFailed when it is gone */
export function storeRow({ store }: Pick<Base, 'store'>, id: number): ManagedStoreRow {
  const row = managedStoreById(store, id);
  if (row === null) throw new TaskFailed('The store is gone.');
  return row;
}

export function storeLimits({ cpu, memory_bytes: memoryBytes }: ManagedStoreRow): Limits {
  return { cpu, memoryBytes, pids: PIDS };
}

/**
 * Has a container of this generation run, and none of another one. The one before is stopped first: two must not write to the
 * same files. May be called again after any part of it was done.
 */
export async function bringUp(base: Base, id: number, generation: number, signal?: AbortSignal): Promise<void> {
  if (storeRow(base, id).generation < generation) {
    await takeDown(base, storeRow(base, id));
    base.store.tx((tx) => setManagedStore(tx, id, { generation, observed: null, reason: null }));
  }
  if (storeRow(base, id).container_id === null) await create(base, id, signal);
  const { container_id } = storeRow(base, id);
  if (container_id !== null) await base.engine.start(container_id, signal);
}

/** Stops its container and removes it; the objects stay. May be called again. */
export async function takeDown({ engine, store, facts }: Base, row: ManagedStoreRow): Promise<void> {
  const container = row.container_id ?? storeContainerName(facts.id, row.id, row.generation);
  await engine.stop(container, STORE_STOP);
  await engine.remove(container);
  store.tx((tx) => {
    // By the time that it has ended another one may be there.
    if (managedStoreById(tx, row.id)?.generation === row.generation)
      setManagedStore(tx, row.id, { container_id: null, applied: null });
  });
}

/** Whether its container is as the record wants it, apart from what is changed while it runs. */
export function isCurrent(row: ManagedStoreRow): boolean {
  return row.container_id !== null && row.applied === wantedContainer(row);
}

function wantedContainer({ image_id, port }: ManagedStoreRow): string {
  return JSON.stringify([image_id, port]);
}

async function create(base: Base, id: number, signal?: AbortSignal): Promise<void> {
  const { engine, facts, store } = base;
  const { volume, name, environment_id } = storeRow(base, id);
  await ensureImage(base, storeRow(base, id), signal);
  await engine.ensureVolume(volume, name, 'store');
  const network = await engine.ensureNetwork(networkName(facts.id, environment_id));
  claimAddress(base, id, network);
  const row = storeRow(base, id);
  const [containerId = ''] = await engine.createGroup(groupOf(base, row, network), signal);
  store.tx((tx) => setManagedStore(tx, id, { container_id: containerId, applied: wantedContainer(row) }));
}

/** On record before the container is made, so that nobody else gets it. */
function claimAddress({ store }: Base, id: number, network: Network): void {
  store.tx((tx) => {
    const row = managedStoreById(tx, id);
    if (row === null || row.address !== null) return;
    setManagedStore(tx, id, { address: freeAddress(tx, network, row) });
  });
}

function groupOf(base: Base, row: ManagedStoreRow, network: Network): Group {
  if (row.image_id === null || row.address === null) throw new TaskFailed('The store has no image or no address yet.');
  return {
    kind: 'store',
    app: row.name,
    deployment: null,
    imageId: row.image_id,
    network: network.name,
    env: {},
    command: null,
    args: [...SERVE],
    limits: storeLimits(row),
    stopSignal: STORE_STOP.signal,
    volumes: [{ name: row.volume, path: '/data' }],
    tcpPorts: row.port === null ? [] : [{ hostPort: row.port, containerPort: STORE_PORT }],
    files: [{ path: KEYS_FILE, ...keysFile(storeAccess(base, row)) }],
    members: [{ name: storeContainerName(base.facts.id, row.id, row.generation), address: row.address, env: {} }],
  };
}
