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

/** An internal name and the addresses it resolves to, on the networks of this Davit. */
export interface NameRecord {
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
  /** Makes exactly these internal names resolvable on our networks; idempotent, whole state each time. */
  publishNames(records: NameRecord[]): Promise<void>;
}
