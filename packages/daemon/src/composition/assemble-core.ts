import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { openAddresses, ownAddresses } from '@davit/service';
import { KeyedQueue } from '@davit/service/keyed-queue';
import { codedImages } from '../adapters/engine/coded-images.ts';
import { Passwords } from '../auth/passwords.ts';
import { RegistryKeys } from '../auth/registry-keys.ts';
import { instanceSettings } from '../config/instance-settings.ts';
import { AuditLog } from '../db/tables/audit-log.ts';
import { Live } from '../resources/events/broadcast.ts';
import { keepingLogs } from '../resources/logs/before-removal.ts';
import { KeptLogs } from '../resources/logs/kept-logs.ts';
import { Traffic } from '../resources/metrics/traffic.ts';
import { Catalog } from '../resources/templates/catalog/catalog.ts';
import type { Starts, Working } from './assemble-working.ts';
import type { Core } from './core.ts';
import { factsOf } from './facts.ts';
import { findingsOf } from './findings.ts';
import type { Foundation } from './foundation.ts';
import type { DaemonOptions } from './options.ts';
import { repairsOf } from './repairs.ts';

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
export function coreOf(foundation: Foundation, logs: KeptLogs, { nudge, run }: Starts, working: () => Working): Core {
  const { config, state, adapters, options, log } = foundation;
  const { id, store, sealer } = state;
  const now = clockOf(options);
  const settings = () => instanceSettings(store);
  const interfaces = () => options.interfaces ?? networkInterfaces();
  store.eventsKept = () => settings().events.kept;
  const registryKeys = new RegistryKeys({ davitId: id, store, sealer, now });
  const findings = (projects: readonly number[] | null) => findingsOf(core, working(), logs, projects);
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
    findings,
    warnings: (projects) => findings(projects).map(({ text }) => text),
    repairs: repairsOf(working, run),
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
