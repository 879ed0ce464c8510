import { nameRecords } from '../app-spec/names.ts';
import type { TaskLimits } from '../resources/tasks/kind.ts';
import { untilAnswers } from '../resources/tasks/until-answers.ts';
import { rowOf } from './container.ts';
import type { ManagedServicesDeps } from './deps.ts';
import type { Resident, ResidentRow } from './resident.ts';

const PROBE_MS = 2_000;

/** @throws TaskFailed when it ended or did not answer in time, with what it wrote last */
export function untilReady<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  base: B,
  id: number,
  limits: TaskLimits,
  signal: AbortSignal,
): Promise<void> {
  const starting = {
    what: `The ${kind.noun}`,
    container: () => rowOf(kind, base, id).container_id,
    problem: () => serviceProblemOf(kind, base, rowOf(kind, base, id), signal),
  };
  return untilAnswers(base.engine, starting, limits, signal);
}

/** Null: it answers; else a sentence that says why not, or nothing. @throws EngineUnavailable, the signal's reason */
export async function serviceProblemOf<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  base: B,
  row: R,
  signal: AbortSignal,
): Promise<string | null> {
  // What nobody listens on need not be asked: a program in the container costs as much as a hundred such looks.
  return (await listens(kind, base, row, signal)) ? kind.problem(base, row, signal) : '';
}

/** Whether something takes connections where it is to answer; that alone is no sign that it does. */
export async function listens<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  { engine }: B,
  row: R,
  signal: AbortSignal,
): Promise<boolean> {
  if (row.container_id === null) return false;
  const probe = { kind: 'tcp', port: kind.listensOn(row), timeoutMs: PROBE_MS } as const;
  return (await engine.probe(row.container_id, probe, signal)).ok;
}

/** From here on the engine restarts it by itself, apps find it by its name, and it is on record as made. */
export async function settle<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  base: B,
  id: number,
): Promise<void> {
  const { container_id } = rowOf(kind, base, id);
  if (container_id !== null) await base.engine.keepRunning(container_id);
  const change = { state: 'made', seen: 'ready', reason: null } as const;
  base.store.tx((tx) => kind.change(tx, id, change, { change: 'status', at: base.now() }));
  await base.engine.publishNames(nameRecords(base));
}
