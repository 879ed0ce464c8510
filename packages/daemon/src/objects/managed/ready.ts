/** Waits until a store answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Base } from '../../release/base.ts';
import { nameRecords } from '../../release/names.ts';
import { setManagedStore } from '../../store/managed-store.ts';
import { TaskFailed, type TaskLimits } from '../../tasks/kind.ts';
import { STORE_PORT } from '../place.ts';
import { storeRow } from './container.ts';

const LAST_LINES = 50;
const PROBE_MS = 5_000;

/** @throws TaskFailed when it ended or did not answer in time, with what it wrote last */
export async function untilReady(base: Base, id: number, limits: TaskLimits, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + limits.readyMs;
  for (;;) {
    const { container_id } = storeRow(base, id);
    if (container_id === null) throw new TaskFailed('The container of the store is gone.');
    if (await isReady(base, container_id, signal)) return;
    await demandRunning(base, container_id, signal);
    if (performance.now() > deadline)
      throw await gaveUp(base, container_id, `It did not answer within ${limits.readyMs / 1_000} s.`);
    await sleep(limits.readyEveryMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** Whether it takes connections; its door opens when its parts have found each other. */
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
