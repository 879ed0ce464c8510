import type { HostAccess } from './host-access.ts';

export interface Network {
  name: string;
  /** Subnet as CIDR, for example `10.208.3.0/24`. */
  subnet: string;
  gateway: string;
  /** First address of the range for fixed addresses of containers. */
  firstAddress: string;
  /**
   * Last address of the range for fixed addresses. The engine uses the rest of the subnet. The adapter refuses a member
   * outside the range.
   */
  lastAddress: string;
}

/** An internal name and the addresses that it resolves to, on exactly one network of this instance. */
export interface NameRecord {
  /** Name of the network. A record for a network that does not exist has no effect. */
  network: string;
  name: string;
  addresses: string[];
}

/** Calls for the networks of environments and the names that resolve on them. */
export interface EngineNetworks {
  /**
   * Finds a network by name, or creates it with a free /24 of the pool. If the engine refuses a /24 that overlaps
   * another network, the next one is tried. Idempotent: the same name gives the same network.
   */
  ensureNetwork(name: string): Promise<Network>;
  /** Removes a network of this instance. Succeeds if the network does not exist. */
  removeNetwork(name: string): Promise<void>;
  /** Returns the names of this instance's networks. */
  networks(): Promise<string[]>;
  /** Replaces all internal names. Afterwards exactly these names resolve, each on its own network. Idempotent. */
  publishNames(records: NameRecord[]): Promise<void>;
  /**
   * Replaces the rules for the services of the server that containers on networks of this instance can reach. Blocks
   * metadata services and other networks. The rules also apply to networks that are created later. Idempotent.
   * @throws EngineRefused if the rules cannot be set
   */
  limitHostAccess(access: HostAccess): Promise<void>;
}
