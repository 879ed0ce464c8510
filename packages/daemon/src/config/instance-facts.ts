import type { InstanceSettings } from '@davit/api';

/** Properties of the instance. Only the domain can change while the daemon runs. */
export interface InstanceFacts {
  id: string;
  version: string;
  /**
   * Host name of the instance. Do not store a copy of the host name, because it changes when a user changes the
   * instance settings.
   */
  readonly domain: string;
  /** Returns the domain that the instance would have with the given instance settings. */
  domainWith: (settings: Pick<InstanceSettings, 'domain' | 'public_address'>) => string;
  /** IP address from which Davit derived the default domain. `null` if a user has set the domain. */
  readonly domainAddress: string | null;
  ports: { http: number; https: number; registry: number };
  /**
   * Address and port on which the API listens. HAProxy forwards requests for the instance's host name to this address.
   */
  apiAddress: { address: string; port: number };
  dataDir: string;
  /** Path of the Unix socket on which the API accepts requests from commands on the server. */
  socket: string;
}
