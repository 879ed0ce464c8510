import type { HostAccess } from './host-access.ts';

export interface Network {
  name: string;
  /** IPv4 subnet in CIDR form, for example `10.208.3.0/24`. */
  subnet: string;
  gateway: string;
  /** First IPv4 address of the range for fixed container addresses on the network. */
  firstAddress: string;
  /**
   * Last IPv4 address for fixed container addresses. Docker assigns the other addresses of the subnet itself, so Davit
   * refuses them.
   */
  lastAddress: string;
}

/** An internal DNS name and its addresses. The name resolves on exactly one network of this Davit instance. */
export interface NameRecord {
  /** Name of the network on which the DNS name resolves. If the network does not exist, the DNS name is ignored. */
  network: string;
  name: string;
  addresses: string[];
}

/** Operations on the private networks of environments and on their internal DNS names. */
export interface EngineNetworks {
  /**
   * Finds a network by name, or creates it with a free /24 subnet. Tries the next subnet if Docker refuses an
   * overlapping one. Idempotent.
   */
  ensureNetwork(name: string): Promise<Network>;
  /** Removes a network of this Davit instance. Succeeds if the network does not exist. */
  removeNetwork(name: string): Promise<void>;
  /** Returns the names of this Davit instance's networks. */
  networks(): Promise<string[]>;
  /**
   * Replaces all internal DNS names. After the call, only the given names resolve, each on its own network.
   * Idempotent.
   */
  publishNames(records: NameRecord[]): Promise<void>;
  /**
   * Lets containers reach only the given services of the server, and no metadata services or other networks. Also
   * applies to later networks. Idempotent.
   * @throws EngineRefused
   */
  limitHostAccess(access: HostAccess): Promise<void>;
}
