import type { HostAccess } from './host-access.ts';

export interface Network {
  name: string;
  /** IPv4 subnet in CIDR form, for example `10.208.3.0/24`. */
  subnet: string;
  gateway: string;
  /** First IPv4 address of the range from which containers on the network get their fixed addresses. */
  firstAddress: string;
  /**
   * Last address of the network's range for fixed container addresses. A container with a fixed address outside this
   * range is refused. Docker assigns the remaining addresses of the subnet.
   */
  lastAddress: string;
}

/** An internal DNS name and its addresses. The name resolves on exactly one network of this Davit instance. */
export interface NameRecord {
  /** Name of the network on which the DNS name resolves. An entry for a network that does not exist has no effect. */
  network: string;
  name: string;
  addresses: string[];
}

/** Calls for the private networks of environments and their internal DNS names. */
export interface EngineNetworks {
  /**
   * Finds a network by name, or creates the network with a free /24 subnet of the address pool. If Docker refuses a
   * subnet because the subnet overlaps another network, the next subnet is tried. Idempotent.
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
   * Sets the firewall rules for containers of this Davit instance. Containers can reach only the given services of the
   * server. Connections to cloud metadata services and to other networks are blocked. The rules also apply to networks
   * that are created later. Idempotent.
   * @throws EngineRefused if the firewall rules cannot be set
   */
  limitHostAccess(access: HostAccess): Promise<void>;
}
