import { nameRecords } from '../app-spec/names.ts';
import type { TaskLimits } from '../resources/tasks/kind.ts';
import { untilAnswers } from '../resources/tasks/until-answers.ts';
import { rowOf } from './container.ts';
import type { ManagedServicesDeps } from './deps.ts';
import type { ManagedService, ManagedServiceRow } from './managed-service.ts';

const PROBE_MS = 2_000;

/**
 * Waits until the server of a database or object store responds.
 * @throws TaskFailed with the last log lines if it does not respond in time
 */
export function untilReady<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
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

/**
 * Checks whether a managed service responds. Returns `null` if it responds. Otherwise, returns the reason as a
 * sentence, or `''` if the reason is unknown.
 * @throws EngineUnavailable, or the abort reason
 */
export async function serviceProblemOf<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  base: B,
  row: R,
  signal: AbortSignal,
): Promise<string | null> {
  /*
   * Run the quick TCP check first. The full check starts a program in the container and needs 100 times as much CPU
   * time.
   */
  return (await listens(kind, base, row, signal)) ? kind.problem(base, row, signal) : '';
}

/**
 * Returns whether the server's port accepts a TCP connection. A server with an open port may still not respond to
 * requests.
 */
export async function listens<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  { engine }: B,
  row: R,
  signal: AbortSignal,
): Promise<boolean> {
  if (row.container_id === null) return false;
  const probe = { kind: 'tcp', port: kind.listensOn(row), timeoutMs: PROBE_MS } as const;
  return (await engine.probe(row.container_id, probe, signal)).ok;
}

/**
 * Completes the start of a managed service. Sets Docker's restart policy for the container, and publishes the host name
 * for apps.
 */
export async function settle<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  base: B,
  id: number,
): Promise<void> {
  const { container_id } = rowOf(kind, base, id);
  if (container_id !== null) await base.engine.keepRunning(container_id);
  const change = { state: 'made', seen: 'ready', reason: null } as const;
  base.store.tx((tx) => kind.change(tx, id, change, { change: 'status', at: base.now() }));
  await base.engine.publishNames(nameRecords(base));
}
