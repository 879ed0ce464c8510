import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { openAddresses, ownAddresses } from '@davit/service';
import { KeyedQueue } from '@davit/service/keyed-queue';
import { codedImages } from '../adapters/engine/coded-images.ts';
import { Passwords } from '../auth/passwords.ts';
import { RegistryKeys } from '../auth/registry-keys.ts';
import { problemFor } from '../authorization/problem-text.ts';
import { instanceSettings, refusedSettingsProblem } from '../config/instance-settings.ts';
import { DAMAGED } from '../db/damage.ts';
import { AuditLog } from '../db/tables/audit-log.ts';
import { unrecordedImagesProblem } from '../reconcilers/unrecorded-volumes.ts';
import { backupWarnings } from '../resources/backups/coverage.ts';
import { standInNote } from '../resources/certificates/public-address.ts';
import { certificateWarnings } from '../resources/certificates/warnings.ts';
import { domainWarnings } from '../resources/domains/host-warnings.ts';
import { Live } from '../resources/events/broadcast.ts';
import { missingImageWarnings } from '../resources/images/missing.ts';
import { exposedSessionProblem } from '../resources/instance/exposed-sessions.ts';
import { keepingLogs } from '../resources/logs/before-removal.ts';
import { KeptLogs } from '../resources/logs/kept-logs.ts';
import { Traffic } from '../resources/metrics/traffic.ts';
import { warningsOfPlatform } from '../resources/platform-images/platform-image.ts';
import { pushWarnings } from '../resources/pushes/push-worker.ts';
import { Catalog } from '../resources/templates/catalog/catalog.ts';
import type { Nudge, Working } from './assemble-working.ts';
import type { Core } from './core.ts';
import { factsOf } from './facts.ts';
import type { Foundation } from './foundation.ts';
import type { DaemonOptions } from './options.ts';

export function logsOf({ config, state: { store }, adapters: { engine }, options, log }: Foundation): KeptLogs {
  const folder = join(config.dataDir, 'logs');
  return new KeptLogs({ folder, store, engine, settings: () => instanceSettings(store), now: clockOf(options), log });
}

function clockOf({ now = Date.now }: DaemonOptions): () => number {
  return now;
}

/**
 * Creates the core object with the database and the services that all modules need. The core object has getters for
 * services that are created later.
 */
export function coreOf(foundation: Foundation, logs: KeptLogs, nudge: Nudge, working: () => Working): Core {
  const { config, state, adapters, options, log } = foundation;
  const { id, store, sealer } = state;
  const now = clockOf(options);
  const settings = () => instanceSettings(store);
  const interfaces = () => options.interfaces ?? networkInterfaces();
  store.eventsKept = () => settings().events.kept;
  const registryKeys = new RegistryKeys({ davitId: id, store, sealer, now });
  const core: Core = {
    log,
    store,
    sealer,
    audit: new AuditLog({ store, sealer, now, log }),
    passwords: new Passwords(),
    engine: keepingLogs(codedImages(adapters.engine, log), logs),
    proxy: adapters.proxy,
    registry: adapters.registry,
    registryKeys,
    ownRegistryAuth: (appId) => registryKeys.appCredential(appId),
    facts: factsOf({ config, id, settings, interfaces: interfaces() }),
    lego: adapters.lego ?? null,
    catalog: new Catalog({ url: () => settings().catalog.url ?? config.catalogUrl }),
    settings,
    isOpenAddress: openAddresses({ publicAddress: () => settings().public_address, interfaces }),
    isOwnAddress: ownAddresses({ publicAddress: () => settings().public_address, interfaces }),
    logs,
    live: new Live(store),
    traffic: new Traffic({ store, now }, log),
    now,
    running: options.running ?? options.now ?? (() => performance.now()),
    get pushes() {
      return working().pushes;
    },
    get deploys() {
      return working().deploys;
    },
    get metrics() {
      return working().metrics;
    },
    get tasks() {
      return working().tasks;
    },
    get runs() {
      return working().runs;
    },
    get platform() {
      return working().platform;
    },
    get collector() {
      return working().collector;
    },
    managedServiceTurns: new KeyedQueue(),
    engineSight: () => working().sight.latest(),
    diskGuard: () => working().disk.guard(),
    disk: () => working().disk.fullest(),
    firewallProblem: () => working().firewall.problem(),
    warnings: (projects) => warningsOf(core, working(), logs, projects),
    nudgeDatabases: () => {
      nudge('databases');
      nudge('database certificates');
    },
    nudgeStores: () => nudge('stores'),
    nudgeBackups: () => nudge('backups'),
    nudgeQuotas: () => nudge('quotas'),
    nudgeSchedules: () => nudge('schedules'),
    nudgeRoutes: () => {
      nudge('routes');
      nudge('names');
    },
    nudgeUnrecorded: () => nudge('orphaned volumes'),
    nudgeCertificates: () => nudge('certificates'),
    nudgeRetirement: () => {
      nudge('retirement');
      nudge('engine');
    },
  };
  return core;
}

/**
 * Warnings for users with access to only some projects. They replace messages of HAProxy and the file system, because
 * those may contain names of other projects.
 */
const NO_PROXY =
  'The proxy does not respond or rejects its configuration, so requests to apps may fail. An admin with access to all projects can see the reason in the warnings of the instance.';
const NO_REGISTRY =
  'The registry does not respond, so images cannot be pushed. An admin with access to all projects can see the reason in the warnings of the instance.';
const NO_LOGS =
  'The logs of some apps cannot be stored. An admin with access to all projects can see the reason in the warnings of the instance.';

/**
 * Returns the warnings that the API sends to operators.
 * @param projects ids of the projects that the user can see, or `null` for all projects
 */
function warningsOf(
  core: Core,
  { routes, ownRegistry, disk, unrecorded, firewall }: Working,
  logs: KeptLogs,
  projects: readonly number[] | null,
): string[] {
  // If the SQLite database is damaged, returns only this one warning. The other warnings need the database.
  if (core.store.isDamaged) return [DAMAGED];
  const simulated = core.engine.capabilities.simulated
    ? ['Docker is simulated on this instance, so no real containers run.']
    : [];
  const problems = [
    core.engineSight().problem,
    firewall.problem(),
    problemFor(projects, routes.problem(), NO_PROXY),
    problemFor(projects, ownRegistry.problem(), NO_REGISTRY),
    problemFor(projects, logs.problem(), NO_LOGS),
    problemFor(projects, unrecorded.problem(), null),
  ];
  return [
    ...simulated,
    ...problems.filter((text) => text !== null),
    ...pushWarnings(core.store, projects),
    ...missingImageWarnings(core.store, projects),
    ...disk.warnings(),
    ...backupWarnings(core, projects),
    ...(projects === null ? warningsOfAllProjects(core) : []),
    ...warningsOfPlatform(core, projects),
    ...standInNote(core.facts),
  ];
}

/**
 * Returns warnings that may contain hosts or apps of any project. Only users with access to all projects may see these
 * warnings.
 */
function warningsOfAllProjects(core: Core): string[] {
  const problems = [
    unrecordedImagesProblem(core.store),
    refusedSettingsProblem(core.store),
    exposedSessionProblem(core),
  ];
  return [...certificateWarnings(core), ...domainWarnings(core), ...problems.filter((text) => text !== null)];
}
