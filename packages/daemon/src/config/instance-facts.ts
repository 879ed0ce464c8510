import type { InstanceSettings } from '@davit/api';

/** Properties of the instance that do not change while the daemon runs, except its domain. */
export interface InstanceFacts {
  id: string;
  version: string;
  /**
   * Host name of the instance. A change of the instance settings changes it at run time, so callers must not store a
   * copy.
   */
  readonly domain: string;
  /** Returns the domain that the instance would have with different instance settings. */
  domainWith: (settings: Pick<InstanceSettings, 'domain' | 'public_address'>) => string;
  /** IP address from which Davit derives the default domain, or `null` if a user set the domain. */
  readonly domainAddress: string | null;
  ports: { http: number; https: number; registry: number };
  /** Address and port on which the API listens. HAProxy forwards requests for the instance's host name to them. */
  apiAddress: { address: string; port: number };
  dataDir: string;
  /** Path of the Unix socket through which commands on the server call the API. */
  socket: string;
}
