/**
 * Network services of the server that containers of this Davit instance may connect to. The firewall rejects
 * connections to all other services of the server.
 */
export interface HostAccess {
  /**
   * TCP ports that containers may connect to, on any IP address of the server. The list contains the ports of HAProxy
   * and the published ports of apps and databases.
   */
  tcpPorts: number[];
  /** Additional addresses and ports of the server that an admin has opened for containers. */
  exceptions: HostException[];
}

export interface HostException {
  /** IPv4 or IPv6 address of the server in canonical form. Link-local addresses are not allowed. */
  address: string;
  port: number;
  protocol: 'tcp' | 'udp';
}
