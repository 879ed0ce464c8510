/**
 * Creates and connects all modules of the daemon. Modules depend on each other, so the core object has getters for
 * modules that are created later.
 */
import { isTerminal } from '@davit/api';
import type { Logger } from '@davit/service';
import { isProxyName, registryName, resolverName } from '../adapters/engine/names.ts';
import { ProxyUnavailable } from '../adapters/proxy/proxy.ts';
import { answersTask } from '../reconcilers/answers.ts';
import { auditTask } from '../reconcilers/audit.ts';
import { backupsTask, databaseLogsTask } from '../reconcilers/backups.ts';
import { certificatesTask } from '../reconcilers/certificates.ts';
import { databaseCertificatesTask } from '../reconcilers/database-certificates.ts';
import { databaseCheckTask } from '../reconcilers/database-check.ts';
import { databasePasswordsTask } from '../reconcilers/database-passwords.ts';
import { deletedTask } from '../reconcilers/deleted.ts';
import { garbageTask } from '../reconcilers/garbage.ts';
import { imagesTask } from '../reconcilers/images.ts';
import { leftoversTask } from '../reconcilers/leftovers.ts';
import { limitsTask } from '../reconcilers/limits.ts';
import { logsTask } from '../reconcilers/logs.ts';
import { managedServicesTask } from '../reconcilers/managed-services.ts';
import { namesTask } from '../reconcilers/names.ts';
import { newerReleasesTask } from '../reconcilers/newer-releases.ts';
import { ownLogTask } from '../reconcilers/own-log.ts';
import { platformImagesTask } from '../reconcilers/platform-images.ts';
import { pushesTask } from '../reconcilers/pushes.ts';
import { quotasTask } from '../reconcilers/quotas.ts';
import type { Task } from '../reconcilers/reconciler.ts';
import { Reconcilers } from '../reconcilers/reconcilers.ts';
import { recordsTask } from '../reconcilers/records.ts';
import { retirementTask } from '../reconcilers/retirement.ts';
import { schedulesTask } from '../reconcilers/schedules.ts';
import { trashTask } from '../reconcilers/trash.ts';
import { diskDestination } from '../resources/backups/destinations.ts';
import { runDueBackups } from '../resources/backups/run-due.ts';
import { keepLogs } from '../resources/backups/wal/archive-loop.ts';
import { CertificateReconciler } from '../resources/certificates/reconciler.ts';
import { DATABASE } from '../resources/databases/managed-service.ts';
import { recordOwnDomain } from '../resources/domains/former-domains.ts';
import type { KeptLogs } from '../resources/logs/kept-logs.ts';
import { publishMachine, publishMetrics } from '../resources/metrics/metric.ts';
import { STORE } from '../resources/object-stores/managed/managed-service.ts';
import { keepPlatform } from '../resources/platform-images/platform-image.ts';
import { collectWhenDue } from '../resources/registry/collection-schedule.ts';
import { removeLeftovers } from '../resources/registry/leftovers.ts';
import { runDueSchedules } from '../resources/schedules/run-due.ts';
import { lookForNewer } from '../resources/templates/install/newer.ts';
import { routeTable } from '../routing/route-table.ts';
import { coreOf, logsOf } from './assemble-core.ts';
import { type Nudge, type Working, workingOf } from './assemble-working.ts';
import type { Core } from './core.ts';
import type { Foundation } from './foundation.ts';

/** Modules of the daemon. They are connected with each other but not started. */
export interface Parts {
  core: Core;
  /**
   * Returns whether the daemon has continued the deployments, runs and tasks that the previous daemon process did not
   * finish.
   */
  isReady: () => boolean;
  begin(): Promise<void>;
  /**
   * Resolves when the daemon has no more work: no deployment, task, reconciler or check of pushed images is running.
   */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Creates and connects the modules of the daemon, but does not start them. The returned object starts and stops the
 * modules.
 */
export function assemble(foundation: Foundation): Parts {
  const reconcilers = new Reconcilers();
  /*
   * Reconcilers must not run in the async context of the current request. Otherwise, the audit log would contain the
   * user of this request for changes of a reconciler.
   */
  const { trail } = foundation.state.store;
  const nudge: Nudge = (name) => trail.apart(() => reconcilers.nudge(name));
  const run = (name: string) => trail.apart(() => reconcilers.run(name));
  const logs = logsOf(foundation);
  const core: Core = coreOf(foundation, logs, { nudge, run }, () => working);
  const working = workingOf(core, foundation, nudge);
  publishMetrics(core, core.live);
  publishMachine(core, core.live);
  const stopping = new AbortController();
  let ready = false;
  return {
    core,
    isReady: () => ready,
    async begin() {
      recordOwnDomain(core.store, core.facts.domain, core.now());
      await countTraffic(core, foundation);
      // The firewall is started early, because the containers of apps are already running.
      reconcilers.startEarly(working.firewall.task, foundation.log);
      await bringUp(core, foundation.log);
      await working.sight.task.run(stopping.signal);
      working.deploys.recover();
      working.runs.recover();
      await sweepBackups(core, foundation.log);
      working.tasks.recover();
      ready = true;
      reconcilers.start(tasksOf(core, working, logs, foundation), foundation.log);
      working.pushes.begin();
      working.metrics.start();
      logs.nudge();
      followReleases(core, working, nudge);
      followDeployments(core, nudge);
      followHostAccess(core, nudge);
      void followEngine(core, working, logs, nudge, stopping.signal);
    },
    async settled() {
      await working.pushes.settled();
      await working.deploys.settled();
      await working.tasks.settled();
      await reconcilers.settled();
    },
    async stop() {
      stopping.abort(new Error('the daemon is stopping'));
      await working.metrics[Symbol.asyncDispose]();
      await working.platform[Symbol.asyncDispose]();
      // Closes the connection for the access log. HAProxy then buffers new log lines until the daemon starts again.
      await foundation.adapters.accessLog[Symbol.asyncDispose]();
      await core.traffic[Symbol.asyncDispose]();
      await working.pushes[Symbol.asyncDispose]();
      await working.deploys[Symbol.asyncDispose]();
      await working.tasks[Symbol.asyncDispose]();
      await working.runs[Symbol.asyncDispose]();
      await reconcilers[Symbol.asyncDispose]();
      await logs[Symbol.asyncDispose]();
      core.audit[Symbol.dispose]();
    },
  };
}

function tasksOf(core: Core, working: Working, logs: KeptLogs, { adapters, log }: Foundation): Task[] {
  const { sight, routes, ownRegistry, pushes, deploys, disk, releases, unrecorded } = working;
  const certificateReconciler = new CertificateReconciler(core, adapters.lego ?? null, log);
  const startedAt = core.now();
  return [
    sight.task,
    routes.task,
    namesTask(core),
    retirementTask(core),
    limitsTask(core, (appId) => deploys.catchUpLimits(appId), log),
    ownRegistry.task,
    pushesTask(() => pushes.look()),
    imagesTask(core),
    deletedTask(() => deploys.removeDeleted()),
    auditTask(core),
    databaseCheckTask(core, log),
    disk.task,
    unrecorded.task,
    ownLogTask(core),
    trashTask(core),
    platformImagesTask(() => keepPlatform(core)),
    quotasTask(core, (appId) => core.logs.bytes(appId)),
    managedServicesTask('databases', DATABASE, core, log),
    databasePasswordsTask(core, log),
    databaseCertificatesTask(core, log),
    managedServicesTask('stores', STORE, core, log),
    recordsTask(core),
    releases.task,
    leftoversTask(() => removeLeftovers(core)),
    garbageTask(() => collectWhenDue(core, startedAt, log)),
    answersTask(core),
    certificatesTask((signal) => certificateReconciler.run(signal)),
    logsTask(() => logs.prune()),
    schedulesTask(() => runDueSchedules(core)),
    newerReleasesTask((signal) => lookForNewer(core, signal)),
    backupsTask(() => runDueBackups(core)),
    databaseLogsTask((signal) => keepLogs(core, log, signal)),
  ];
}

/**
 * Removes incomplete backup files of the previous daemon process. This must happen before tasks continue, because a
 * task may write a backup.
 */
async function sweepBackups(core: Core, log: Logger): Promise<void> {
  try {
    await diskDestination(core).sweep();
  } catch (error) {
    log.error({ error }, 'files of unfinished backups could not be removed');
  }
}

/**
 * Starts to count requests. This must happen before HAProxy starts, because HAProxy may have buffered access log lines.
 * If an error occurs, the daemon runs without request counts.
 */
async function countTraffic(core: Core, { adapters, log }: Foundation): Promise<void> {
  try {
    await core.traffic.start(adapters.accessLog);
  } catch (error) {
    log.error({ error }, 'the daemon could not start to count requests to apps, so request metrics are missing');
  }
}

/**
 * Starts HAProxy early, so that apps are reachable as soon as possible. If HAProxy cannot start, the daemon still opens
 * its API.
 */
async function bringUp(core: Core, log: Logger): Promise<void> {
  try {
    await core.proxy.ensure(routeTable(core));
  } catch (error) {
    if (!(error instanceof ProxyUnavailable)) throw error;
    log.error({ error }, 'proxy could not be started');
  }
}

function followReleases({ store }: Core, { releases }: Working, nudge: Nudge): void {
  store.onEvent((event) => {
    if (event.kind === 'app' && event.data.change === 'created') nudge('leftovers');
    if (event.kind === 'instance' && 'change' in event.data && hasLessData(event.data.change)) releases.changedAll();
    else if (event.kind === 'app' && event.appId !== null && hasMoreData(event.data.change))
      releases.changed(event.appId);
    else return;
    nudge('releases');
  });
}

/** Returns whether a change of the instance removed data from the registry. */
function hasLessData(change: string): boolean {
  return change === 'registry.collected' || change === 'registry.repositories';
}

/** Returns whether a change of an app can have added data. A signature is pushed without a change of releases. */
function hasMoreData(change: string): boolean {
  return change === 'releases' || change === 'pushed';
}

/**
 * Triggers a check of CPU and memory limits when a deployment ends. After a failed deployment, containers may still
 * have old limits.
 */
function followDeployments({ store }: Core, nudge: Nudge): void {
  store.onEvent(({ kind, data }) => {
    if (kind === 'deployment' && isTerminal(data.status)) nudge('limits');
  });
}

/** Triggers an update of the firewall rules when settings, published ports or managed services change. */
function followHostAccess({ store }: Core, nudge: Nudge): void {
  store.onEvent(({ kind, data }) => {
    const isSetting = kind === 'instance' && 'change' in data && data.change === 'settings';
    const isPort = kind === 'app' && (data.change === 'tcp_ports' || data.change === 'settings');
    if (kind === 'resource' || isSetting || isPort) nudge('firewall');
  });
}

/** Docker events after which a container no longer responds. */
const FAILING: ReadonlySet<string> = new Set(['die', 'stop', 'pause', 'destroy']);

/** Docker event after the kernel has killed a process in a container because of its memory use. */
const OUT_OF_MEMORY = 'oom';

/**
 * Runs reconcilers after a Docker event, to change the actual state to the desired state. Reconcilers also run
 * regularly without an event.
 */
async function followEngine(
  { engine, facts, proxy }: Core,
  { sight, ownRegistry, routes, firewall }: Working,
  logs: KeptLogs,
  nudge: Nudge,
  signal: AbortSignal,
): Promise<void> {
  for await (const event of engine.watch(signal)) {
    const { id, name, action } = event.kind === 'changed' ? event : {};
    if (event.kind === 'resync') {
      firewall.distrust();
      nudge(firewall.task.name);
    }
    if (id !== undefined && action === OUT_OF_MEMORY) sight.outOfMemory(id);
    nudge(sight.task.name);
    nudge('databases');
    nudge('stores');
    logs.nudge(id);
    if (name === undefined || name === registryName(facts.id)) nudge(ownRegistry.task.name);
    // Events of started containers are ignored. Otherwise, a reconciler that starts a container would trigger itself.
    if (action !== undefined && !FAILING.has(action)) continue;
    if (name === undefined || name === resolverName(facts.id)) nudge('names');
    if (name !== undefined && !isProxyName(facts.id, name)) continue;
    proxy.distrust();
    nudge(routes.task.name);
  }
}
