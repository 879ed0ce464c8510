/** Waits until a database answers, which is asked of itself. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Base } from '../release/base.ts';
import { nameRecords } from '../release/names.ts';
import { setDatabase } from '../store/managed-database.ts';
import { TaskFailed, type TaskLimits } from '../tasks/kind.ts';
import { answers } from './ask.ts';
import { databaseRow } from './container.ts';
import { DIALECTS } from './dialects/index.ts';
import { databaseFacts } from './secrets.ts';

const LAST_LINES = 50;

/** @throws TaskFailed when it ended or did not answer in time, with what it wrote last */
export async function untilReady(base: Base, id: number, limits: TaskLimits, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + limits.readyMs;
  for (;;) {
    const { container_id } = databaseRow(base, id);
    if (container_id === null) throw new TaskFailed('The container of the database is gone.');
    if (await isReady(base, id, signal)) return;
    await demandRunning(base, container_id, signal);
    if (performance.now() > deadline)
      throw await gaveUp(base, container_id, `It did not answer within ${limits.readyMs / 1_000} s.`);
    await sleep(limits.readyEveryMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** @throws EngineUnavailable, the signal's reason */
export async function isReady(base: Base, id: number, signal: AbortSignal): Promise<boolean> {
  const row = databaseRow(base, id);
  if (row.container_id === null) return false;
  const facts = databaseFacts(base.sealer, row);
  return answers(base.engine, row.container_id, DIALECTS[row.engine].ready(facts), facts, signal);
}

/** From here on the engine restarts it by itself, apps find it by its name, and it is on record as made. */
export async function settle(base: Base, id: number): Promise<void> {
  const { container_id } = databaseRow(base, id);
  if (container_id !== null) await base.engine.keepRunning(container_id);
  base.store.tx((tx) =>
    setDatabase(tx, id, { state: 'made', observed: 'ready', reason: null }, { change: 'status', at: base.now() }),
  );
  await base.engine.publishNames(nameRecords(base));
}

async function demandRunning(base: Base, containerId: string, signal: AbortSignal): Promise<void> {
  const seen = (await base.engine.observe(signal)).find(({ id }) => id === containerId);
  if (seen !== undefined && seen.state !== 'exited' && seen.state !== 'dead') return;
  const how = seen?.oomKilled ? 'It was ended because it took more memory than its limit.' : '';
  throw await gaveUp(
    base,
    containerId,
    `Its container ended with exit code ${seen?.exitCode ?? 'unknown'}. ${how}`.trim(),
  );
}

async function gaveUp({ engine }: Base, containerId: string, why: string): Promise<TaskFailed> {
  const lines = await engine.lastLines(containerId, LAST_LINES).catch(() => []);
  return new TaskFailed(
    `The database did not start: ${why} The log of this task has what it wrote.`,
    lines.map(({ line }) => line),
  );
}
