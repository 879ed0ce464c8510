import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Nudge, Working } from './assemble-working.ts';
import { Passwords } from './auth/passwords.ts';
import { ENGINE_USER, RegistryKeys } from './auth/registry-keys.ts';
import { standInNote } from './certificates/public-address.ts';
import { certificateWarnings } from './certificates/warnings.ts';
import { backupWarnings } from './core/backup-coverage.ts';
import type { Core } from './core/core.ts';
import { Live } from './core/live.ts';
import { pushWarnings } from './core/pushes.ts';
import type { DaemonOptions } from './daemon.ts';
import { factsOf } from './facts.ts';
import type { Ground } from './ground.ts';
import { Catalog } from './installs/catalog/catalog.ts';
import { keepingLogs } from './logs/before-removal.ts';
import { KeptLogs } from './logs/kept-logs.ts';
import { Traffic } from './metrics/traffic.ts';
import { instanceSettings } from './release/settings.ts';
import { AuditLog } from './store/audit-log.ts';

/** Where what apps write is kept. */
export function logsOf({ config, state: { store }, adapters: { engine }, options, log }: Ground): KeptLogs {
  const folder = join(config.dataDir, 'logs');
  return new KeptLogs({ folder, store, engine, settings: () => instanceSettings(store), now: clockOf(options), log });
}

function clockOf({ now = Date.now }: DaemonOptions): () => number {
  return now;
}

/** The core, which reads what stands on it when it needs it. */
export function coreOf(ground: Ground, logs: KeptLogs, nudge: Nudge, working: () => Working): Core {
  const { config, state, adapters, options, log } = ground;
  const { id, store, sealer } = state;
  const now = clockOf(options);
  const settings = () => instanceSettings(store);
  store.eventsKept = () => settings().events.kept;
  const registryKeys = new RegistryKeys({ davitId: id, store, sealer, now });
  const core: Core = {
    log,
    store,
    sealer,
    audit: new AuditLog({ store, sealer, now, log }),
    passwords: new Passwords(),
    engine: keepingLogs(adapters.engine, logs),
    proxy: adapters.proxy,
    registry: adapters.registry,
    registryKeys,
    ownRegistryAuth: () => ({ username: ENGINE_USER, password: registryKeys.engineSecret() }),
    facts: factsOf({ config, id, settings, interfaces: options.interfaces ?? networkInterfaces() }),
    lego: adapters.lego ?? null,
    catalog: new Catalog({ url: () => settings().catalog.url ?? config.catalogUrl }),
    settings,
    logs,
    live: new Live(store),
    traffic: new Traffic({ store, now }, log),
    now,
    running: options.running ?? options.now ?? (() => performance.now()),
    get pushes() {
      return working().pushes;
    },
    get deploys() {
      return working().machine;
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
    get collector() {
      return working().collector;
    },
    engineSight: () => working().sight.latest(),
    diskGuard: () => working().disk.guard(),
    disk: () => working().disk.fullest(),
    warnings: () => warningsOf(core, working(), logs),
    nudgeDatabases: () => nudge('databases'),
    nudgeStores: () => nudge('stores'),
    nudgeBackups: () => nudge('backups'),
    nudgeSchedules: () => nudge('schedules'),
    nudgeRoutes: () => nudge('routes'),
    nudgeCertificates: () => nudge('certificates'),
    nudgeRetirement: () => {
      nudge('retirement');
      nudge('engine');
    },
  };
  return core;
}

/** What an operator should know, in sentences. */
function warningsOf(core: Core, { routes, ownRegistry, disk }: Working, logs: KeptLogs): string[] {
  const simulated = core.engine.capabilities.simulated ? ['The engine is simulated: nothing real runs.'] : [];
  const problems = [core.engineSight().problem, routes.problem(), ownRegistry.problem(), logs.problem()];
  return [
    ...simulated,
    ...problems.filter((text) => text !== null),
    ...pushWarnings(core.store),
    ...disk.warnings(),
    ...backupWarnings(core),
    ...certificateWarnings(core),
    ...standInNote(core.facts),
  ];
}
