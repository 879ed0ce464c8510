/** Waits until a store answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Base } from '../../release/base.ts';
import { nameRecords } from '../../release/names.ts';
import { storeAccess } from '../../release/store-access.ts';
import { setManagedStore } from '../../store/managed-store.ts';
import { TaskFailed, type TaskLimits } from '../../tasks/kind.ts';
import { objectClientOf } from '../client-of.ts';
import { endpointAt, STORE_PORT } from '../place.ts';
import { StoreProblem } from '../problem.ts';
import { storeRow } from './container.ts';

const LAST_LINES = 50;
const PROBE_MS = 5_000;

/** @throws TaskFailed when it ended or did not answer in time, with what it wrote last */
export async function untilReady(base: Base, id: number, limits: TaskLimits, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + limits.readyMs;
  for (;;) {
    const { container_id } = storeRow(base, id);
    if (container_id === null) throw new TaskFailed('The container of the store is gone.');
    const problem = await problemOf(base, id, container_id, signal);
    if (problem === null) return;
    await demandRunning(base, container_id, signal);
    if (performance.now() > deadline)
      throw await gaveUp(base, container_id, `It did not answer within ${limits.readyMs / 1_000} s. ${problem}`.trim());
    await sleep(limits.readyEveryMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
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

async function demandRunning(base: Base, containerId: string, signal: AbortSignal): Promise<void> {
  const seen = (await base.engine.observe(signal)).find(({ id }) => id === containerId);
  if (seen !== undefined && seen.state !== 'exited' && seen.state !== 'dead') return;
  const how = seen?.oomKilled ? ' It was ended because it took more memory than its limit.' : '';
  throw await gaveUp(base, containerId, `Its container ended with exit code ${seen?.exitCode ?? 'unknown'}.${how}`);
}

async function gaveUp({ engine }: Base, containerId: string, why: string): Promise<TaskFailed> {
  const lines = await engine.lastLines(containerId, LAST_LINES).catch(() => []);
  const message = `The store did not start: ${why} The log of this task has what it wrote.`;
  return new TaskFailed(
    message,
    lines.map(({ line }) => line),
  );
}
