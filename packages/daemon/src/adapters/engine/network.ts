import type { HostAccess } from './host-access.ts';

export interface Network {
  name: string;
  /** CIDR, for example `10.208.3.0/24`. */
  subnet: string;
  gateway: string;
  /** Instances take fixed addresses from here … */
  firstAddress: string;
  /** … to here; the rest of the subnet is the engine's, which refuses a member outside. */
  lastAddress: string;
}

/** An internal name and the addresses it resolves to, on one network of this Davit and on no other. */
export interface NameRecord {
  /** Name of the network. A record of a network that does not exist resolves nowhere. */
  network: string;
  name: string;
  addresses: string[];
}

/** Networks of environments, and the names that resolve on them. */
export interface EngineNetworks {
  /**
   * Makes or finds a network by name, with a /24 of the pool claimed by trying: another owner's overlapping network
   * makes the engine refuse, and the next one is tried. Idempotent: the same name gives the same network.
   */
  ensureNetwork(name: string): Promise<Network>;
  /** Removes a network of ours; one that is gone already is fine. */
  removeNetwork(name: string): Promise<void>;
  /** The names of this Davit's networks. */
  networks(): Promise<string[]>;
  /** Replaces all internal names: exactly these resolve, each on its own network. Idempotent. */
  publishNames(records: NameRecord[]): Promise<void>;
  /**
   * Replaces the rules for what containers on our networks can reach on the server, and blocks metadata services and
   * other networks. Applies to networks that are made later as well. Idempotent.
   * @throws EngineRefused when the rules cannot be set
   */
  limitHostAccess(access: HostAccess): Promise<void>;
}
