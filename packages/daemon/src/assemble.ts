/**
 * What an instance is made of, and how its parts know each other. They know each other in circles (a deploy asks the
 * registry's pushes to look again, a push asks for a deploy), so the core reads those that are made after it when it
 * needs them.
 */
import type { Logger } from '@davit/service';
import { coreOf, logsOf } from './assemble-core.ts';
import { type Nudge, type Working, workingOf } from './assemble-working.ts';
import { answersTask } from './background/answers.ts';
import { auditTask } from './background/audit.ts';
import { backupsTask, databaseLogsTask } from './background/backups.ts';
import { certificatesTask } from './background/certificates.ts';
import { deletedTask } from './background/deleted.ts';
import { garbageTask } from './background/garbage.ts';
import { imagesTask } from './background/images.ts';
import { leftoversTask } from './background/leftovers.ts';
import { logsTask } from './background/logs.ts';
import { newerReleasesTask } from './background/newer-releases.ts';
import { ownLogTask } from './background/own-log.ts';
import { pushesTask } from './background/pushes.ts';
import type { Task } from './background/reconciler.ts';
import { Reconcilers } from './background/reconcilers.ts';
import { recordsTask } from './background/records.ts';
import { residentsTask } from './background/residents.ts';
import { retirementTask } from './background/retirement.ts';
import { schedulesTask } from './background/schedules.ts';
import { trashTask } from './background/trash.ts';
import { diskDestination } from './backups/destinations.ts';
import { CertificateKeeper } from './certificates/keeper.ts';
import { runDueBackups } from './core/backup-times.ts';
import { collectWhenDue } from './core/collection-times.ts';
import type { Core } from './core/core.ts';
import { lookForNewer } from './core/install/newer.ts';
import { removeLeftovers } from './core/leftovers.ts';
import { keepLogs } from './core/log-keeping.ts';
import { tellMachine, tellMetrics } from './core/metric.ts';
import { runDueSchedules } from './core/schedule-times.ts';
import { DATABASE } from './databases/resident.ts';
import { registryName } from './engine/names.ts';
import type { Ground } from './ground.ts';
import type { KeptLogs } from './logs/kept-logs.ts';
import { STORE } from './objects/managed/resident.ts';
import { ProxyUnavailable } from './proxy/proxy.ts';
import { routeTable } from './release/routing.ts';

/** An instance that is put together, and not at work yet. */
export interface Parts {
  core: Core;
  /** What the last process left is taken up. */
  isReady: () => boolean;
  begin(): Promise<void>;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** Does nothing but put things together: what it answers begins, ends and waits. */
export function assemble(ground: Ground): Parts {
  const reconcilers = new Reconcilers();
  // What a reconciler changes is no part of the request that nudged it.
  const nudge: Nudge = (name) => ground.state.store.trail.apart(() => reconcilers.nudge(name));
  const logs = logsOf(ground);
  const core: Core = coreOf(ground, logs, nudge, () => working);
  const working = workingOf(core, ground, nudge);
  tellMetrics(core);
  tellMachine(core);
  const stopping = new AbortController();
  let ready = false;
  return {
    core,
    isReady: () => ready,
    async begin() {
      await countTraffic(core, ground);
      await bringUp(core, ground.log);
      await working.sight.task.run(stopping.signal);
      working.machine.recover();
      working.runs.recover();
      await sweepBackups(core, ground.log);
      working.tasks.recover();
      ready = true;
      reconcilers.start(tasksOf(core, working, logs, ground), ground.log);
      working.pushes.begin();
      working.metrics.start();
      logs.nudge();
      followReleases(core, working, nudge);
      void followEngine(core, working, logs, nudge, stopping.signal);
    },
    async settled() {
      await working.pushes.settled();
      await working.machine.settled();
      await working.tasks.settled();
      await reconcilers.settled();
    },
    async stop() {
      stopping.abort(new Error('the daemon is stopping'));
      await working.metrics[Symbol.asyncDispose]();
      // What is told from now on the proxy keeps for the next start.
      await ground.adapters.accessLog[Symbol.asyncDispose]();
      await core.traffic[Symbol.asyncDispose]();
      await working.pushes[Symbol.asyncDispose]();
      await working.machine[Symbol.asyncDispose]();
      await working.tasks[Symbol.asyncDispose]();
      await working.runs[Symbol.asyncDispose]();
      await reconcilers[Symbol.asyncDispose]();
      await logs[Symbol.asyncDispose]();
      core.audit[Symbol.dispose]();
    },
  };
}

function tasksOf(core: Core, working: Working, logs: KeptLogs, { adapters, log }: Ground): Task[] {
  const { sight, routes, ownRegistry, pushes, machine, disk, releases } = working;
  const keeper = new CertificateKeeper(core, adapters.lego ?? null, log);
  const startedAt = core.now();
  return [
    sight.task,
    routes.task,
    retirementTask(core),
    ownRegistry.task,
    pushesTask(() => pushes.look()),
    imagesTask(core),
    deletedTask(() => machine.removeDeleted()),
    auditTask(core),
    disk.task,
    ownLogTask(core),
    trashTask(core),
    residentsTask('databases', DATABASE, core, log),
    residentsTask('stores', STORE, core, log),
    recordsTask(core),
    releases.task,
    leftoversTask(() => removeLeftovers(core)),
    garbageTask(() => collectWhenDue(core, startedAt, log)),
    answersTask(core),
    certificatesTask((signal) => keeper.run(signal)),
    logsTask(() => logs.prune()),
    schedulesTask(() => runDueSchedules(core)),
    newerReleasesTask((signal) => lookForNewer(core, signal)),
    backupsTask(() => runDueBackups(core)),
    databaseLogsTask((signal) => keepLogs(core, log, signal)),
  ];
}

/** What was being written when the last process ended; nothing is being written yet. */
async function sweepBackups(core: Core, log: Logger): Promise<void> {
  try {
    await diskDestination(core).sweep();
  } catch (error) {
    log.error({ error }, 'what is left of backups that were not finished could not be removed');
  }
}

/** Before the proxy is looked at: it may have waited to tell. An instance that cannot count still serves. */
async function countTraffic(core: Core, { adapters, log }: Ground): Promise<void> {
  try {
    await core.traffic.start(adapters.accessLog);
  } catch (error) {
    log.error({ error }, 'what is asked of apps cannot be counted');
  }
}

/** The proxy first: apps are served before anything else is looked at. An instance without a proxy still answers. */
async function bringUp(core: Core, log: Logger): Promise<void> {
  try {
    await core.proxy.ensure(routeTable(core));
  } catch (error) {
    if (!(error instanceof ProxyUnavailable)) throw error;
    log.error({ error }, 'the proxy could not be started');
  }
}

function followReleases({ store }: Core, { releases }: Working, nudge: Nudge): void {
  store.onEvent(({ appId, data }) => {
    if (appId !== null && data.change === 'created') nudge('leftovers');
    if (appId === null || data.change !== 'releases') return;
    releases.changed(appId);
    nudge('releases');
  });
}

/** Looks at the engine whenever it says that something happened, instead of only by the clock. */
async function followEngine(
  { engine, facts }: Core,
  { sight, ownRegistry }: Working,
  logs: KeptLogs,
  nudge: Nudge,
  signal: AbortSignal,
): Promise<void> {
  for await (const event of engine.watch(signal)) {
    const { id, name } = event.kind === 'changed' ? event : {};
    nudge(sight.task.name);
    nudge('databases');
    nudge('stores');
    if (name === registryName(facts.id)) nudge(ownRegistry.task.name);
    logs.nudge(id);
  }
}
