import { readRevisionSpec } from '../app-spec/revision.ts';
import { type InstanceRow, moveInstances, retiringInstances } from '../db/tables/instance.ts';
import { slotsOfApp } from '../db/tables/route.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

const LOOK_AGAIN_MS = 500;
/**
 * Maximum number of old releases of an app that wait until their connections close. Without a limit, frequent
 * deployments would cause many running old releases.
 */
const MOST_RETIRING = 2;

/**
 * Stops replicas of old releases when their connections have closed or their drain time has ended. Deployments do not
 * wait for this.
 */
export function retirementTask(base: ReconcilersDeps): Task {
  const ending = new Map<number, Promise<void>>();
  return {
    name: 'retirement',
    everyMs: 5_000,
    async run(signal) {
      const rows = retiringInstances(base.store);
      for (const row of rows) {
        if (ending.has(row.id) || !(await mayEnd(base, row, rows))) continue;
        const done = end(base, row).finally(() => ending.delete(row.id));
        ending.set(row.id, done);
        // Prevent an unhandled rejection with this empty handler. `Promise.all` below reports the error.
        done.catch(() => undefined);
      }
      // If all old replicas are already stopping, wait until their containers are removed.
      if (rows.length > 0 && rows.length === ending.size && !signal.aborted) await Promise.all(ending.values());
      return rows.length > 0 ? LOOK_AGAIN_MS : undefined;
    },
  };
}

type Retiring = InstanceRow & { revision: number };

async function mayEnd(base: ReconcilersDeps, row: Retiring, all: Retiring[]): Promise<boolean> {
  if ((row.drain_until ?? 0) <= base.now() || row.container_id === null) return true;
  const newer = new Set(
    all
      .filter((other) => other.app_id === row.app_id && other.deployment_id > row.deployment_id)
      .map((other) => other.deployment_id),
  );
  if (newer.size >= MOST_RETIRING) return true;
  const slots = slotsOfApp(base.store, row.app_id);
  const open = await Promise.all(slots.map((slot) => base.proxy.openSessions(slot, `i${row.id}`)));
  return open.every((sessions) => sessions === 0);
}

async function end(base: ReconcilersDeps, row: Retiring): Promise<void> {
  const { stop } = readRevisionSpec(base, row.app_id, row.revision);
  const container = row.container_id ?? row.name;
  await base.engine.stop(container, { signal: stop.signal, graceS: stop.grace_s });
  await base.engine.remove(container);
  base.store.tx((tx) => {
    moveInstances(tx, [row.id], 'draining', 'gone');
    tx.event({
      kind: 'instance',
      appId: row.app_id,
      deploymentId: row.deployment_id,
      data: { name: row.name, state: 'gone' },
    });
  });
  base.nudgeRoutes();
}
