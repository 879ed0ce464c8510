import type { Reader } from './store.ts';

export interface TcpPortRow {
  id: number;
  app_id: number;
  container_port: number;
  host_port: number;
}

const COLUMNS = 'id, app_id, container_port, host_port';

/** By the port on the host. */
export function tcpPortsOfApp(db: Reader, appId: number): TcpPortRow[] {
  return db.all(`SELECT ${COLUMNS} FROM tcp_ports WHERE app_id = ? ORDER BY host_port`, appId);
}

/** By the port on the host. */
export function allTcpPorts(db: Reader): TcpPortRow[] {
  return db.all(`SELECT ${COLUMNS} FROM tcp_ports ORDER BY host_port`);
}
