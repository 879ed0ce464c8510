/**
 * Services of the server that containers of this Davit instance may reach. The firewall rejects connections to all
 * other services of the server.
 */
export interface HostAccess {
  /**
   * TCP ports of the server that containers may connect to, on any IP address of the server. These are the ports of
   * HAProxy and the published ports of apps and databases.
   */
  tcpPorts: number[];
  /** Addresses and ports of the server that containers may also reach, because an admin has allowed them. */
  exceptions: HostException[];
}

export interface HostException {
  /** IPv4 or IPv6 address of the server in canonical form. Link-local addresses are not allowed. */
  address: string;
  port: number;
  protocol: 'tcp' | 'udp';
}
