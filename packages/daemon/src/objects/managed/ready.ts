/** Waits until a store answers. */
import type { Base } from '../../release/base.ts';
import { nameRecords } from '../../release/names.ts';
import { storeAccess } from '../../release/store-access.ts';
import { setManagedStore } from '../../store/managed-store.ts';
import type { TaskLimits } from '../../tasks/kind.ts';
import { untilAnswers } from '../../tasks/until-answers.ts';
import { objectClientOf } from '../client-of.ts';
import { endpointAt, STORE_PORT } from '../place.ts';
import { StoreProblem } from '../problem.ts';
import { storeRow } from './container.ts';

const PROBE_MS = 5_000;

/** @throws TaskFailed when it ended or did not answer in time, with what it wrote last */
export function untilReady(base: Base, id: number, limits: TaskLimits, signal: AbortSignal): Promise<void> {
  const starting = {
    what: 'The store',
    container: () => storeRow(base, id).container_id,
    problem: (container: string) => problemOf(base, id, container, signal),
  };
  return untilAnswers(base.engine, starting, limits, signal);
}

/** Null: it takes orders with its keys. It takes connections a moment before, while its parts look for each other. */
async function problemOf(base: Base, id: number, containerId: string, signal: AbortSignal): Promise<string | null> {
  if (!(await isReady(base, containerId, signal))) return '';
  const row = storeRow(base, id);
  // Nothing listens where nothing runs.
  if (base.engine.capabilities.simulated || row.address === null) return null;
  try {
    using client = await objectClientOf({ ...storeAccess(base, row), endpoint: endpointAt(row.address) });
    await client.listBuckets(signal);
    return null;
  } catch (error) {
    if (error instanceof StoreProblem) return error.message;
    throw error;
  }
}

/** Whether it takes connections. */
export async function isReady({ engine }: Base, containerId: string, signal: AbortSignal): Promise<boolean> {
  return (await engine.probe(containerId, { kind: 'tcp', port: STORE_PORT, timeoutMs: PROBE_MS }, signal)).ok;
}

/** From here on the engine restarts it by itself, apps find it by its name, and it is on record as made. */
export async function settle(base: Base, id: number): Promise<void> {
  const { container_id } = storeRow(base, id);
  if (container_id !== null) await base.engine.keepRunning(container_id);
  const change = { state: 'made', observed: 'up', reason: null } as const;
  base.store.tx((tx) => setManagedStore(tx, id, change, { change: 'status', at: base.now() }));
  await base.engine.publishNames(nameRecords(base));
}
