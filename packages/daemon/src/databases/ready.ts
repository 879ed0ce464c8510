/** Waits until a database answers, which is asked of itself. */
import type { Base } from '../release/base.ts';
import { nameRecords } from '../release/names.ts';
import { setDatabase } from '../store/managed-database.ts';
import type { TaskLimits } from '../tasks/kind.ts';
import { untilAnswers } from '../tasks/until-answers.ts';
import { answers } from './ask.ts';
import { databaseRow } from './container.ts';
import { DIALECTS } from './dialects/index.ts';
import { databaseFacts } from './secrets.ts';

const LISTENS_MS = 2_000;

/** @throws TaskFailed when it ended or did not answer in time, with what it wrote last */
export function untilReady(base: Base, id: number, limits: TaskLimits, signal: AbortSignal): Promise<void> {
  const starting = {
    what: 'The database',
    container: () => databaseRow(base, id).container_id,
    // What nobody listens on need not be asked: a program in the container costs as much as a hundred such looks.
    problem: async () => ((await listens(base, id, signal)) && (await isReady(base, id, signal)) ? null : ''),
  };
  return untilAnswers(base.engine, starting, limits, signal);
}

/** Whether something takes connections where it is to answer; that alone is no sign that it does. */
async function listens({ store, engine }: Base, id: number, signal: AbortSignal): Promise<boolean> {
  const { container_id, engine: name } = databaseRow({ store }, id);
  if (container_id === null) return false;
  const probe = { kind: 'tcp', port: DIALECTS[name].port, timeoutMs: LISTENS_MS } as const;
  return (await engine.probe(container_id, probe, signal)).ok;
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
