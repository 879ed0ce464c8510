import { randomBytes } from 'node:crypto';
import { isPublicAddress, type Logger } from '@davit/service';
import { KeyedQueue } from '@davit/service/keyed-queue';
import { codedImages } from '../../src/adapters/engine/coded-images.ts';
import type { EngineSight } from '../../src/adapters/engine/engine-sight.ts';
import type { MemoryEngine } from '../../src/adapters/engine/memory/memory.ts';
import { NO_IMAGES } from '../../src/adapters/engine/platform-images.ts';
import type { Proxy } from '../../src/adapters/proxy/proxy.ts';
import { createMemoryRegistry } from '../../src/adapters/registry/memory/memory-registry.ts';
import type { ImageRegistry } from '../../src/adapters/registry/registry.ts';
import { Passwords } from '../../src/auth/passwords.ts';
import { RegistryKeys } from '../../src/auth/registry-keys.ts';
import type { Core } from '../../src/composition/core.ts';
import { TASK_KINDS } from '../../src/composition/task-kinds.ts';
import { instanceSettings } from '../../src/config/instance-settings.ts';
import { Sealer } from '../../src/db/seal.ts';
import { AuditLog } from '../../src/db/tables/audit-log.ts';
import type { Deploys } from '../../src/resources/deployments/deploys.ts';
import { Live } from '../../src/resources/events/broadcast.ts';
import { Sampler } from '../../src/resources/metrics/sampler.ts';
import { Traffic } from '../../src/resources/metrics/traffic.ts';
import { platformImageRecords } from '../../src/resources/platform-images/records.ts';
import { PlatformUpdates } from '../../src/resources/platform-images/updates.ts';
import { Pushes } from '../../src/resources/pushes/push-worker.ts';
import { RegistryCollector } from '../../src/resources/registry/collector.ts';
import { CommandRunner } from '../../src/resources/runs/command-runner.ts';
import { TASK_LIMITS } from '../../src/resources/tasks/kind.ts';
import { TaskRunner } from '../../src/resources/tasks/task-runner.ts';
import type { Tasks } from '../../src/resources/tasks/tasks.ts';
import { Catalog } from '../../src/resources/templates/catalog/catalog.ts';
import { memoryStore } from './memory-store.ts';
import { TemporaryLogs } from './temporary-logs.ts';

export const DAVIT_ID = 'testtest';

/** Parts of a core that a test reads, changes or replaces. */
export interface SimulatedParts {
  engine: MemoryEngine;
  proxy: Proxy;
  /** Registry. Default: a new simulated registry. */
  registry?: ImageRegistry;
  log: Logger;
  domain: string;
  /** Returns the time in milliseconds since the epoch, without advancing the time. */
  clock: () => number;
  /** Returns the time for the core. Each call may return a later time. */
  now: () => number;
  /** Returns the run time in milliseconds. Default: follows the clock. */
  running?: () => number;
  deploys: () => Deploys;
  sight: () => EngineSight;
  diskGuard: () => string | null;
  nudgeRoutes?: () => void;
  /** Returns the task runner. Default: a runner with all kinds of tasks. */
  tasks?: () => Tasks;
}

/** Creates a core like the composition root, with a database in memory and without reconcilers. */
export function simulatedCore(parts: SimulatedParts): Core {
  const { proxy, log, domain, clock } = parts;
  const engine = codedImages(parts.engine, log);
  const store = memoryStore(clock);
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
    isOpenAddress: isPublicAddress,
    isOwnAddress: () => false,
    firewallProblem: () => null,
    logs: new TemporaryLogs({ store, engine, settings, now: clock, log }),
    live: new Live(store),
    traffic: new Traffic({ store, now: clock }, log),
    audit: new AuditLog({ store, sealer, now: clock, log }),
    passwords: new Passwords(),
    registryKeys,
    ownRegistryAuth: (appId) => registryKeys.appCredential(appId),
    facts: {
      id: DAVIT_ID,
      version: '0.1.0',
      domain,
      domainWith: (other) => other.domain ?? domain,
      domainAddress: null,
      ports: { http: 80, https: 443, registry: 5000 },
      apiAddress: { address: '127.0.0.1', port: 3000 },
      dataDir: '/nowhere',
      socket: '/nowhere/davit.sock',
    },
    now: parts.now,
    running: parts.running ?? clock,
    managedServiceTurns: new KeyedQueue(),
    engineSight: parts.sight,
    diskGuard: parts.diskGuard,
    disk: () => null,
    lego: null,
    log,
    catalog: new Catalog({ url: () => null }),
    warnings: () => [],
    findings: () => [],
    repairs: {},
    nudgeRoutes: parts.nudgeRoutes ?? (() => undefined),
    nudgeRetirement: () => undefined,
    nudgeCertificates: () => undefined,
    nudgeBackups: () => undefined,
    nudgeQuotas: () => undefined,
    nudgeSchedules: () => undefined,
    nudgeDatabases: () => undefined,
    nudgeStores: () => undefined,
    nudgeUnrecorded: () => undefined,
    /*
     * These are getters, because the parts depend on the core that contains them, and because a crash replaces the
     * deployment runner.
     */
    get deploys() {
      return parts.deploys();
    },
    get metrics() {
      return metrics;
    },
    get platform() {
      return platform;
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
  const runs = new CommandRunner(core, log);
  const tasks = new TaskRunner(core, { kinds: TASK_KINDS, limits: TASK_LIMITS, log });
  const pushes = new Pushes(core, { log, nudge: () => undefined });
  const collector = new RegistryCollector(core);
  const platform = new PlatformUpdates({
    ...{ maker: NO_IMAGES, records: platformImageRecords(store), isEnabled: () => false, log },
    ...{ now: clock, running: clock, needed: () => new Map(), inUse: () => [] },
  });
  return core;
}
