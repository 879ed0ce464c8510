import type { InstanceSettings } from '@davit/api';

/** What the instance is: fixed by its first start, or set for this run. */
export interface InstanceFacts {
  id: string;
  version: string;
  /** The instance's own host. Settings change it at any time: read it when it is needed, and keep no copy. */
  readonly domain: string;
  /** The domain that other settings would give the instance. */
  domainWith: (settings: Pick<InstanceSettings, 'domain' | 'public_address'>) => string;
  /** The address that the domain stands for, where nobody chose one; null: it was chosen. */
  readonly domainAddress: string | null;
  ports: { http: number; https: number; registry: number };
  /** Where the API listens: what the proxy sends the instance's own host to. */
  apiAddress: { address: string; port: number };
  dataDir: string;
  /** The local operator's socket. */
  socket: string;
}
