import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { InstanceSettings } from '@davit/api';
import { createLogger, type Logger } from '@davit/service';
import type { Adapters } from './adapters.ts';
import { Passwords } from './auth/passwords.ts';
import { ENGINE_USER, RegistryKeys } from './auth/registry-keys.ts';
import { answersTask } from './background/answers.ts';
import { auditTask } from './background/audit.ts';
import { certificatesTask } from './background/certificates.ts';
import { deletedTask } from './background/deleted.ts';
import { watchDisk } from './background/disk.ts';
import { garbageTask } from './background/garbage.ts';
import { imagesTask } from './background/images.ts';
import { logsTask } from './background/logs.ts';
import { ownLogTask } from './background/own-log.ts';
import { pushesTask } from './background/pushes.ts';
import { type Reconciler, startReconciler } from './background/reconciler.ts';
import { recordsTask } from './background/records.ts';
import { watchRegistry } from './background/registry.ts';
import { watchReleases } from './background/releases.ts';
import { retirementTask } from './background/retirement.ts';
import { keepRoutes } from './background/routes.ts';
import { schedulesTask } from './background/schedules.ts';
import { engineSight } from './background/sight.ts';
import { trashTask } from './background/trash.ts';
import { noteAsked } from './certificates/asked.ts';
import { CertificateKeeper } from './certificates/keeper.ts';
import { domainOf, type Interfaces, publicListenAddress, standInNote } from './certificates/public-address.ts';
import { certificateWarnings } from './certificates/warnings.ts';
import type { Config } from './config/config.ts';
import { collectWhenDue } from './core/collection-times.ts';
import type { Core } from './core/core.ts';
import { Live } from './core/live.ts';
import { tellMetrics } from './core/metric.ts';
import { Pushes, pushWarnings } from './core/pushes.ts';
import { registrySetup } from './core/registry-setup.ts';
import { RunMachine } from './core/run-machine.ts';
import { runDueSchedules } from './core/schedule-times.ts';
import { DeployMachine } from './deploy/machine.ts';
import { STEPS } from './deploy/steps/index.ts';
import { DEPLOY_LIMITS, type DeployLimits } from './deploy/work.ts';
import { registryName } from './engine/names.ts';
import { type ApiServer, startApi } from './http/server.ts';
import { keepingLogs } from './logs/before-removal.ts';
import { KeptLogs } from './logs/kept-logs.ts';
import type { Logs } from './logs/logs.ts';
import { Sampler } from './metrics/sampler.ts';
import { Traffic } from './metrics/traffic.ts';
import type { AccessLog } from './proxy/access-log.ts';
import { ProxyUnavailable } from './proxy/proxy.ts';
import type { InstanceFacts } from './release/base.ts';
import { RegistryCollector } from './release/registry-collector.ts';
import { routeTable } from './release/routing.ts';
import { instanceSettings } from './release/settings.ts';
import type { State } from './state.ts';
import { AuditLog } from './store/audit-log.ts';
import { VERSION } from './version.ts';

export interface Daemon extends AsyncDisposable {
  core: Core;
  /** The API's address, `http://127.0.0.1:3000`. */
  url: string;
  /** What the first account is claimed with; null when it has been. */
  setupToken: string | null;
  firstRun: boolean;
  /** Resolves when what the last process left is taken up and writes are accepted. */
  ready: Promise<void>;
  /** Resolves when nothing is under way: for tests, and before a stop. */
  settled(): Promise<void>;
}

export interface DaemonOptions {
  /** Milliseconds since the epoch. */
  now?: () => number;
  log?: Logger;
  limits?: Partial<DeployLimits>;
  /** The machine's network interfaces; its own unless given. */
  interfaces?: Interfaces;
}

/**
 * Puts an instance together and opens its API. This is the one place that knows every part; each part knows only the
 * interfaces it is given. Disposing it lets go of everything and leaves apps and proxy serving.
 */
export async function createDaemon(
  config: Config,
  state: State,
  adapters: Adapters,
  options: DaemonOptions = {},
): Promise<Daemon> {
  const log = options.log ?? createLogger({ level: config.logLevel });
  const stack = new AsyncDisposableStack();
  stack.use(state);
  stack.use(adapters.engine);
  stack.use(adapters.proxy);
  stack.use(adapters.registry);
  const parts = assemble(config, state, adapters, options, log);
  stack.defer(() => parts.stop());
  const api: ApiServer = stack.use(await startApi(parts.core, config, log, parts.isReady));
  // Known only now where the port was left to the system.
  parts.core.facts.apiAddress = api.address;
  const ready = parts.begin();
  // Whoever waits for it sees the failure; it must not end the process of one who does not.
  ready.catch((error) => log.error({ error }, 'the instance could not be brought up'));
  return {
    core: parts.core,
    url: api.url,
    setupToken: api.setupToken(),
    firstRun: state.firstRun,
    ready,
    settled: parts.settled,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

interface Parts {
  core: Core;
  isReady: () => boolean;
  begin(): Promise<void>;
  settled(): Promise<void>;
  stop(): Promise<void>;
}

function assemble(
  config: Config,
  { id, store, sealer }: State,
  { engine: bareEngine, proxy, accessLog, registry, lego = null }: Adapters,
  options: DaemonOptions,
  log: Logger,
): Parts {
  const reconcilers = new Map<string, Reconciler>();
  // What a reconciler changes is no part of the request that nudged it.
  const nudge = (name: string) => store.trail.apart(() => reconcilers.get(name)?.nudge());
  const stopping = new AbortController();
  let ready = false;
  store.eventsKept = () => instanceSettings(store).events.kept;
  const now = options.now ?? Date.now;
  const settings = () => instanceSettings(store);
  const domain = domainSource(config, settings, options.interfaces ?? networkInterfaces());
  const folder = join(config.dataDir, 'logs');
  const logs = new KeptLogs({ folder, store, engine: bareEngine, settings, now, log });
  const engine = keepingLogs(bareEngine, logs);
  const registryKeys = new RegistryKeys({ davitId: id, store, sealer, now });
  const core: Core = {
    store,
    sealer,
    audit: new AuditLog({ store, sealer, now, log }),
    passwords: new Passwords(),
    engine,
    proxy,
    registry,
    registryKeys,
    get pushes() {
      return pushes;
    },
    ownRegistryAuth: () => ({ username: ENGINE_USER, password: registryKeys.engineSecret() }),
    facts: factsOf(config, id, domain),
    lego,
    settings,
    logs,
    live: new Live(store),
    traffic: new Traffic({ store, now }, log),
    now,
    get deploys() {
      return machine;
    },
    get metrics() {
      return metrics;
    },
    get runs() {
      return runs;
    },
    get collector() {
      return collector;
    },
    nudgeSchedules: () => nudge(schedules.name),
    engineSight: () => sight.latest(),
    diskGuard: () => disk.guard(),
    disk: () => disk.fullest(),
    warnings: () => [
      ...warningsOf(core, [routes.problem(), ownRegistry.problem()]),
      ...pushWarnings(store),
      ...disk.warnings(),
      ...certificateWarnings(core),
      ...standInNote(core.facts),
      ...[logs.problem()].filter((text) => text !== null),
    ],
    nudgeRoutes: () => nudge(routes.task.name),
    nudgeCertificates: () => nudge(certificates.name),
    nudgeRetirement: () => {
      nudge(retirement.name);
      nudge(sight.task.name);
    },
  };
  const metrics = new Sampler(core, log);
  tellMetrics(core);
  core.traffic.onHost((host) => noteAsked(core, host));
  const sight = engineSight(core, (appId) => machine.replace(appId));
  const routes = keepRoutes(core);
  const retirement = retirementTask(core);
  const setup = () => registrySetup(core.facts, registryKeys);
  const ownRegistry = watchRegistry(core, { setup, log, onReturn: () => pushes.distrust() });
  const pushes = new Pushes(core, { log, nudge: () => nudge('pushes') });
  const machine = new DeployMachine(core, { limits: { ...DEPLOY_LIMITS, ...options.limits }, steps: STEPS, log });
  const runs = new RunMachine(core, log);
  const collector = new RegistryCollector(core);
  const releases = watchReleases(core, collector);
  const startedAt = now();
  const schedules = schedulesTask(() => runDueSchedules(core));
  const deleted = deletedTask(() => machine.removeDeleted());
  const images = imagesTask(core);
  const keeper = new CertificateKeeper(core, lego, log);
  const certificates = certificatesTask((signal) => keeper.run(signal));
  const onFilling = () => {
    nudge(images.name);
    collector.isWanted = true;
    nudge('garbage');
  };
  const disk = watchDisk(core, { log, onFilling });
  const tasks = [
    sight.task,
    routes.task,
    retirement,
    ownRegistry.task,
    pushesTask(() => pushes.look()),
    images,
    deleted,
    auditTask(core),
    disk.task,
    ownLogTask(core),
    trashTask(core),
    recordsTask(core),
    releases.task,
    garbageTask(() => collectWhenDue(core, startedAt, log)),
    answersTask(core),
    certificates,
    logsTask(() => logs.prune()),
    schedules,
  ];
  return {
    core,
    isReady: () => ready,
    async begin() {
      await countTraffic(core, accessLog, log);
      await bringUp(core, log);
      await sight.task.run(stopping.signal);
      machine.recover();
      runs.recover();
      ready = true;
      for (const task of tasks) reconcilers.set(task.name, startReconciler(task, log));
      for (const reconciler of reconcilers.values()) reconciler.nudge();
      store.onEvent(({ appId, data }) => {
        if (appId === null || data.change !== 'releases') return;
        releases.changed(appId);
        nudge(releases.task.name);
      });
      pushes.begin();
      metrics.start();
      logs.nudge();
      const follow = (name: string | undefined) => {
        nudge(sight.task.name);
        if (name === registryName(id)) nudge(ownRegistry.task.name);
      };
      void watchEngine(core, logs, follow, stopping.signal);
    },
    async settled() {
      await pushes.settled();
      await machine.settled();
      await Promise.all(reconcilers.values().map((reconciler) => reconciler.settled()));
    },
    async stop() {
      stopping.abort(new Error('the daemon is stopping'));
      await metrics[Symbol.asyncDispose]();
      // What is told from now on the proxy keeps for the next start.
      await accessLog[Symbol.asyncDispose]();
      await core.traffic[Symbol.asyncDispose]();
      await pushes[Symbol.asyncDispose]();
      await machine[Symbol.asyncDispose]();
      await runs[Symbol.asyncDispose]();
      await Promise.all(reconcilers.values().map((reconciler) => reconciler[Symbol.asyncDispose]()));
      await logs[Symbol.asyncDispose]();
      core.audit[Symbol.dispose]();
    },
  };
}

/** Before the proxy is looked at: it may have waited to tell. An instance that cannot count still serves. */
async function countTraffic(core: Core, accessLog: AccessLog, log: Logger): Promise<void> {
  try {
    await core.traffic.start(accessLog);
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

/** Looks at the engine whenever it says that something happened, instead of only by the clock. */
async function watchEngine(
  { engine }: Core,
  logs: Logs,
  look: (container: string | undefined) => void,
  signal: AbortSignal,
): Promise<void> {
  for await (const event of engine.watch(signal)) {
    look(event.kind === 'changed' ? event.name : undefined);
    logs.nudge(event.kind === 'changed' ? event.id : undefined);
  }
}

/** The instance's own host as the settings, the configuration and the machine's addresses have it right now. */
function domainSource(config: Config, settings: () => InstanceSettings, interfaces: Interfaces) {
  const listenAddress = publicListenAddress(config.listen.host, interfaces);
  return () => {
    const { domain, public_address: publicAddress } = settings();
    const { domain: configured, domainIsSet: isConfigured } = config;
    return domainOf({ domain, publicAddress, configured, isConfigured, listenAddress });
  };
}

function factsOf(config: Config, id: string, domain: ReturnType<typeof domainSource>): InstanceFacts {
  return {
    id,
    version: VERSION,
    get domain() {
      return domain().domain;
    },
    get domainAddress() {
      return domain().address;
    },
    ports: { http: config.httpPort.port, https: config.httpsPort.port, registry: config.registryPort.port },
    apiAddress: { address: config.listen.host, port: config.listen.port },
    dataDir: config.dataDir,
    socket: join(config.dataDir, 'davit.sock'),
  };
}

function warningsOf({ engine, engineSight }: Core, problems: (string | null)[]): string[] {
  const { problem } = engineSight();
  return [
    ...(engine.capabilities.simulated ? ['The engine is simulated: nothing real runs.'] : []),
    ...[problem, ...problems].filter((text) => text !== null),
  ];
}
