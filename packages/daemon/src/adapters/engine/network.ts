import type { HostAccess } from './host-access.ts';

export interface Network {
  name: string;
  /** IPv4 subnet in CIDR form, for example `10.208.3.0/24`. */
  subnet: string;
  gateway: string;
  /** First IPv4 address in the range for fixed container addresses. */
  firstAddress: string;
  /**
   * Last IPv4 address in the range for fixed container addresses. Docker assigns higher addresses dynamically, so these
   * addresses cannot be fixed.
   */
  lastAddress: string;
}

/** An internal DNS name and its IP addresses. The name resolves on exactly one network of this Davit instance. */
export interface NameRecord {
  /** Name of the network on which the DNS name resolves. If the network does not exist, the DNS name is ignored. */
  network: string;
  name: string;
  addresses: string[];
}

/** Operations on the private networks of environments and on their internal DNS names. */
export interface EngineNetworks {
  /**
   * Finds a network by name, or creates the network with a free /24 subnet. If Docker refuses an overlapping subnet,
   * the method tries the next subnet. The call is idempotent.
   */
  ensureNetwork(name: string): Promise<Network>;
  /** Removes a network of this Davit instance. The call also succeeds if the network does not exist. */
  removeNetwork(name: string): Promise<void>;
  /** Returns the names of this Davit instance's networks. */
  networks(): Promise<string[]>;
  /**
   * Replaces all internal DNS names. After the call, only the given names resolve, each on its own network. The call is
   * idempotent.
   */
  publishNames(records: NameRecord[]): Promise<void>;
  /**
   * Lets containers connect only to the given services of the server. Blocks cloud metadata services and other
   * networks. The limits also apply to networks that are created later. The call is idempotent.
   * @throws EngineRefused
   */
  limitHostAccess(access: HostAccess): Promise<void>;
}
