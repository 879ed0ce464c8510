import { type Row, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert } from '../write.ts';

const PORT = selectFrom('tcp_ports', 'id, app_id, container_port, host_port, created_at');

export type TcpPortRow = Row<typeof PORT>;

const COUNT = select({ ports: sql.integer('count(*)') });

/** Returns the published TCP ports of an app, sorted by the port number on the server. */
export function tcpPortsOfApp(db: Reader, appId: number): TcpPortRow[] {
  return db.all(PORT.from('tcp_ports WHERE app_id = ? ORDER BY host_port'), appId);
}

export function countTcpPorts(db: Reader, projectId: number): number {
  const query = COUNT.from(
    'tcp_ports t JOIN apps a ON a.id = t.app_id JOIN environments e ON e.id = a.environment_id WHERE e.project_id = ?',
  );
  return db.get(query, projectId)?.ports ?? 0;
}

/** Returns the published TCP ports of all apps, sorted by the port number on the server. */
export function allTcpPorts(db: Reader): TcpPortRow[] {
  return db.all(PORT.from('tcp_ports ORDER BY host_port'));
}

export function tcpPortById(db: Reader, id: number): TcpPortRow | undefined {
  return db.get(PORT.from('tcp_ports WHERE id = ?'), id);
}

export function tcpPortByHostPort(db: Reader, hostPort: number): TcpPortRow | undefined {
  return db.get(PORT.from('tcp_ports WHERE host_port = ?'), hostPort);
}

export function insertTcpPort(tx: Tx, port: Omit<TcpPortRow, 'id'>): number {
  const id = insert(tx, 'tcp_ports', {
    app_id: port.app_id,
    container_port: port.container_port,
    host_port: port.host_port,
    created_at: port.created_at,
  });
  tx.event({ kind: 'app', appId: port.app_id, data: { change: 'tcp_ports', added: port.host_port } });
  return id;
}

export function deleteTcpPort(tx: Tx, port: TcpPortRow): void {
  tx.run('DELETE FROM tcp_ports WHERE id = ?', port.id);
  tx.event({ kind: 'app', appId: port.app_id, data: { change: 'tcp_ports', removed: port.host_port } });
}
