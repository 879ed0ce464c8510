import type { InstanceSettings } from '@davit/api';

/** Facts of the instance, fixed by its first start or set for this run. */
export interface InstanceFacts {
  id: string;
  version: string;
  /** Host name of the instance. Settings can change it at any time, so read it when you need it and keep no copy. */
  readonly domain: string;
  /** Returns the domain that the instance would have with other settings. */
  domainWith: (settings: Pick<InstanceSettings, 'domain' | 'public_address'>) => string;
  /** Address from which the default domain is derived, or `null` if a user set the domain. */
  readonly domainAddress: string | null;
  ports: { http: number; https: number; registry: number };
  /** Address at which the API listens. The proxy sends requests for the instance's host to it. */
  apiAddress: { address: string; port: number };
  dataDir: string;
  /** Path of the socket for the local operator. */
  socket: string;
}
