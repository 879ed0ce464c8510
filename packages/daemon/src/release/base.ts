import type { InstanceSettings } from '@davit/api';
import type { Engine } from '../engine/engine.ts';
import type { RegistryAuth } from '../engine/image.ts';
import type { Proxy } from '../proxy/proxy.ts';
import type { ImageRegistry } from '../registry/registry.ts';
import type { AuditLog } from '../store/audit-log.ts';
import type { Sealer } from '../store/seal.ts';
import type { Store } from '../store/store.ts';

/** What was last known of the engine; kept by the reconciler that watches it. */
export interface EngineSight {
  available: boolean;
  version: string | null;
  /** How many cores its machine has; null: it has not been asked yet. */
  cpus: number | null;
  /** When it last answered; null: never since the start. Milliseconds since the epoch. */
  seenAt: number | null;
  /** Why it does not answer, in a sentence; null when it does. */
  problem: string | null;
}

/** What the instance is: fixed by its first start, or set for this run. */
export interface InstanceFacts {
  id: string;
  version: string;
  /** The instance's own host. Settings change it at any time: read it when it is needed, and keep no copy. */
  readonly domain: string;
  /** The address that the domain stands for, where nobody chose one; null: it was chosen. */
  readonly domainAddress: string | null;
  ports: { http: number; https: number; registry: number };
  /** Where the API listens: what the proxy sends the instance's own host to. */
  apiAddress: { address: string; port: number };
  dataDir: string;
  /** The local operator's socket. */
  socket: string;
}

/** What everything below the API works with; built once, by the composition root. */
export interface Base {
  store: Store;
  sealer: Sealer;
  /** Where everything that is done is written down. */
  audit: AuditLog;
  engine: Engine;
  proxy: Proxy;
  /** The instance's own one, where apps are pushed to. */
  registry: ImageRegistry;
  /** What the engine pulls with from the instance's own registry; never shown to anybody. */
  ownRegistryAuth: () => RegistryAuth;
  facts: InstanceFacts;
  /** What an admin has set for the whole instance, as it is now. */
  settings: () => InstanceSettings;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Milliseconds that this process has run, which nobody sets; what counts is the difference of two. */
  running: () => number;
  engineSight: () => EngineSight;
  /** Why nothing that brings a new image may begin, in a sentence: the disk is nearly full. Null: there is room. */
  diskGuard: () => string | null;
  /** Asks for retired releases to be looked after soon. */
  nudgeRetirement: () => void;
  /** Asks for the routes to be made true soon; for changes that nobody waits for. */
  nudgeRoutes: () => void;
  /** Asks for the certificates to be looked after soon: after a change of what hosts there are. */
  nudgeCertificates: () => void;
}
