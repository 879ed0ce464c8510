/** Services of the server that containers of this instance may reach. All others are refused. */
export interface HostAccess {
  /** TCP ports on all addresses of the server: those of the proxy, and those that this instance publishes. */
  tcpPorts: number[];
  /** What an admin has opened. */
  exceptions: HostException[];
}

/** One service of the server. */
export interface HostException {
  /** IPv4 or IPv6 address of the server, in canonical form; not link-local. */
  address: string;
  port: number;
  protocol: 'tcp' | 'udp';
}
