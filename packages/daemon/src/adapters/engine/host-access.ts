/**
 * Services of the server that containers of this instance may reach. Requests to all other services of the server are
 * refused.
 */
export interface HostAccess {
  /** TCP ports on all addresses of the server: the ports of the proxy and the ports that this instance publishes. */
  tcpPorts: number[];
  /** Services that an admin has allowed. */
  exceptions: HostException[];
}

export interface HostException {
  /** IPv4 or IPv6 address of the server in canonical form. Link-local addresses are not allowed. */
  address: string;
  port: number;
  protocol: 'tcp' | 'udp';
}
