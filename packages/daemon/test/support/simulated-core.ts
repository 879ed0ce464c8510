import { randomBytes } from 'node:crypto';
import type { Logger } from '@davit/service';
import { Passwords } from '../../src/auth/passwords.ts';
import { RegistryKeys } from '../../src/auth/registry-keys.ts';
import type { Core } from '../../src/core/core.ts';
import { Live } from '../../src/core/live.ts';
import { Pushes } from '../../src/core/pushes.ts';
import { RunMachine } from '../../src/core/run-machine.ts';
import type { Deploys } from '../../src/deploy/deploys.ts';
import type { MemoryEngine } from '../../src/engine/memory/memory.ts';
import { Catalog } from '../../src/installs/catalog/catalog.ts';
import { Sampler } from '../../src/metrics/sampler.ts';
import { Traffic } from '../../src/metrics/traffic.ts';
import type { Proxy } from '../../src/proxy/proxy.ts';
import { createMemoryRegistry } from '../../src/registry/memory/memory-registry.ts';
import type { ImageRegistry } from '../../src/registry/registry.ts';
import type { EngineSight } from '../../src/release/base.ts';
import { RegistryCollector } from '../../src/release/registry-collector.ts';
import { instanceSettings } from '../../src/release/settings.ts';
import { AuditLog } from '../../src/store/audit-log.ts';
import { Sealer } from '../../src/store/seal.ts';
import { Store } from '../../src/store/store.ts';
import { TASK_KINDS } from '../../src/task-kinds.ts';
import { TASK_LIMITS } from '../../src/tasks/kind.ts';
import { TaskMachine } from '../../src/tasks/machine.ts';
import type { Tasks } from '../../src/tasks/tasks.ts';
import { TemporaryLogs } from './temporary-logs.ts';

export const DAVIT_ID = 'testtest';

/** Where the parts of a core come from that a test looks at, changes, or puts another one in the place of. */
export interface SimulatedParts {
  engine: MemoryEngine;
  proxy: Proxy;
  /** Absent: one of its own. */
  registry?: ImageRegistry;
  log: Logger;
  domain: string;
  /** Milliseconds since the epoch, without letting time pass. */
  clock: () => number;
  /** The same for what the core does, where each look may be a later moment. */
  now: () => number;
  /** Absent: time passes as the clock says. */
  running?: () => number;
  deploys: () => Deploys;
  sight: () => EngineSight;
  diskGuard: () => string | null;
  nudgeRoutes?: () => void;
  /** Absent: one with every kind that there is. */
  tasks?: () => Tasks;
}

/** A core as the composition root builds it, on a store in memory and without reconcilers. */
export function simulatedCore(parts: SimulatedParts): Core {
  const { engine, proxy, log, domain, clock } = parts;
  const store = new Store(':memory:', clock);
  const sealer = new Sealer(randomBytes(32));
  const settings = () => instanceSettings(store);
  const registryKeys = new RegistryKeys({ davitId: DAVIT_ID, store, sealer, now: clock });
  const core: Core = {
    store,
    sealer,
    engine,
    proxy,
    registry: parts.registry ?? createMemoryRegistry(),
    settings,
    logs: new TemporaryLogs({ store, engine, settings, now: clock, log }),
    live: new Live(store),
    traffic: new Traffic({ store, now: clock }, log),
    audit: new AuditLog({ store, sealer, now: clock, log }),
    passwords: new Passwords(),
    registryKeys,
    ownRegistryAuth: () => ({ username: 'davit', password: registryKeys.engineSecret() }),
    facts: {
      id: DAVIT_ID,
      version: '0.1.0',
      domain,
      domainAddress: null,
      ports: { http: 80, https: 443, registry: 5000 },
      apiAddress: { address: '127.0.0.1', port: 3000 },
      dataDir: '/nowhere',
      socket: '/nowhere/davit.sock',
    },
    now: parts.now,
    running: parts.running ?? clock,
    engineSight: parts.sight,
    diskGuard: parts.diskGuard,
    disk: () => null,
    lego: null,
    log,
    catalog: new Catalog({ url: () => null }),
    warnings: () => [],
    nudgeRoutes: parts.nudgeRoutes ?? (() => undefined),
    nudgeRetirement: () => undefined,
    nudgeCertificates: () => undefined,
    nudgeBackups: () => undefined,
    nudgeSchedules: () => undefined,
    nudgeDatabases: () => undefined,
    nudgeStores: () => undefined,
    // Getters: these stand on the core that they are a part of, and a crash puts another deploy machine in its place.
    get deploys() {
      return parts.deploys();
    },
    get metrics() {
      return metrics;
    },
    get collector() {
      return collector;
    },
    get pushes() {
      return pushes;
    },
    get tasks() {
      return parts.tasks?.() ?? tasks;
    },
    get runs() {
      return runs;
    },
  };
  const metrics = new Sampler(core, log);
  const runs = new RunMachine(core, log);
  const tasks = new TaskMachine(core, { kinds: TASK_KINDS, limits: TASK_LIMITS, log });
  const pushes = new Pushes(core, { log, nudge: () => undefined });
  const collector = new RegistryCollector(core);
  return core;
}
