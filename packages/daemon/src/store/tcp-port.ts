import type { Reader, Tx } from './store.ts';

export interface TcpPortRow {
  id: number;
  app_id: number;
  container_port: number;
  host_port: number;
  created_at: number;
}

const COLUMNS = 'id, app_id, container_port, host_port, created_at';

/** By the port on the host. */
export function tcpPortsOfApp(db: Reader, appId: number): TcpPortRow[] {
  return db.all(`SELECT ${COLUMNS} FROM tcp_ports WHERE app_id = ? ORDER BY host_port`, appId);
}

/** By the port on the host. */
export function allTcpPorts(db: Reader): TcpPortRow[] {
  return db.all(`SELECT ${COLUMNS} FROM tcp_ports ORDER BY host_port`);
}

export function tcpPortById(db: Reader, id: number): TcpPortRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM tcp_ports WHERE id = ?`, id);
}

export function tcpPortByHostPort(db: Reader, hostPort: number): TcpPortRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM tcp_ports WHERE host_port = ?`, hostPort);
}

export function insertTcpPort(tx: Tx, port: Omit<TcpPortRow, 'id'>): number {
  const { id } = tx.run(
    'INSERT INTO tcp_ports (app_id, container_port, host_port, created_at) VALUES (?, ?, ?, ?)',
    port.app_id,
    port.container_port,
    port.host_port,
    port.created_at,
  );
  tx.event({ kind: 'app', appId: port.app_id, data: { change: 'tcp_ports', added: port.host_port } });
  return id;
}

export function deleteTcpPort(tx: Tx, port: TcpPortRow): void {
  tx.run('DELETE FROM tcp_ports WHERE id = ?', port.id);
  tx.event({ kind: 'app', appId: port.app_id, data: { change: 'tcp_ports', removed: port.host_port } });
}
