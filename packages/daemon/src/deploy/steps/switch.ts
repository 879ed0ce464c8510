import { EngineUnavailable } from '../../engine/errors.ts';
import { ProxyUnavailable } from '../../proxy/proxy.ts';
import { nameRecords } from '../../release/names.ts';
import { routeTable } from '../../release/routing.ts';
import { type InstanceRow, instancesOfApp, moveInstances } from '../../store/instance.ts';
import { isStopped, liveOf } from '../../store/release.ts';
import type { Tx } from '../../store/store.ts';
import { DeployFailed, type Step, type Work } from '../work.ts';

/**
 * Moves the traffic. The store says first where it shall go; then the proxy is made to follow, whose file is on disk
 * before its sockets change. A crash anywhere in between is taken up by doing the same again.
 */
export const switchTraffic: Step = {
  name: 'switch',
  phase: 'switching',
  async run(work) {
    const drainUntil = work.base.now() + work.spec.stop.drain_s * 1_000;
    move(work, (tx, mine, others) => {
      moveInstances(tx, mine, 'starting', 'active');
      moveInstances(tx, others, 'active', 'draining', drainUntil);
    });
    const [problem] = await Promise.all([routed(work), work.base.engine.publishNames(nameRecords(work.base))]);
    if (problem) throw new DeployFailed(problem);
  },
  async undo(work) {
    move(work, (tx, mine, others) => {
      moveInstances(tx, mine, 'active', 'starting');
      moveInstances(tx, others, 'draining', 'active');
    });
    // The old release has its traffic back when this returns; a proxy that is away reads it from its file.
    await Promise.all([routed(work), work.base.engine.publishNames(nameRecords(work.base))]);
  },
};

/** Answers why the new release does not have the traffic, or null when it has. */
async function routed(work: Work): Promise<string | null> {
  const table = routeTable(work.base);
  const mine = new Set(
    table.backends.filter((backend) => backend.app === work.app.reference).map((backend) => backend.slot),
  );
  try {
    const { problems } = await work.base.proxy.sync(table);
    const problem = problems.find(({ slot }) => mine.has(slot));
    return problem ? `The proxy does not reach the new release: ${problem.reason}.` : null;
  } catch (error) {
    if (!(error instanceof ProxyUnavailable)) throw error;
    // The proxy is away because the engine is: that is waited for.
    if (error.cause instanceof EngineUnavailable) throw error.cause;
    // Without routes there is nothing for the proxy to do: a worker is deployed all the same.
    return mine.size === 0 ? null : `The traffic cannot be moved: ${error.message}`;
  }
}

/** Only the live release's instances move: those that a former deployment left draining go on draining. */
function move(work: Work, change: (tx: Tx, mine: number[], others: number[]) => void): void {
  work.base.store.tx((tx) => {
    // What drains because the app was stopped goes on draining, also when this deployment does not become live.
    const live = isStopped(tx, work.app.id) ? undefined : liveOf(tx, work.app.id)?.id;
    const rows = instancesOfApp(tx, work.app.id);
    const ids = (of: (row: InstanceRow) => boolean) => rows.filter(of).map((row) => row.id);
    change(
      tx,
      ids((row) => row.deployment_id === work.deploymentId),
      ids((row) => row.deployment_id === live && row.deployment_id !== work.deploymentId),
    );
  });
}
