import type { Domain } from '@davit/api';
import type { Reader, Tx } from './store.ts';

export interface DomainRow {
  id: number;
  app_id: number;
  host: string;
  /** Null: the app's own. */
  port: number | null;
  protocol: Domain['protocol'];
  created_at: number;
}

const COLUMNS = 'id, app_id, host, port, protocol, created_at';

/** By host. */
export function domainsOfApp(db: Reader, appId: number): DomainRow[] {
  return db.all(`SELECT ${COLUMNS} FROM domains WHERE app_id = ? ORDER BY host`, appId);
}

/** By host. */
export function allDomains(db: Reader): DomainRow[] {
  return db.all(`SELECT ${COLUMNS} FROM domains ORDER BY host`);
}

export function domainById(db: Reader, id: number): DomainRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM domains WHERE id = ?`, id);
}

export function domainByHost(db: Reader, host: string): DomainRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM domains WHERE host = ?`, host);
}

export function insertDomain(tx: Tx, domain: Omit<DomainRow, 'id'>): number {
  const { id } = tx.run(
    'INSERT INTO domains (app_id, host, port, protocol, created_at) VALUES (?, ?, ?, ?, ?)',
    domain.app_id,
    domain.host,
    domain.port,
    domain.protocol,
    domain.created_at,
  );
  tx.event({ kind: 'app', appId: domain.app_id, data: { change: 'domains', added: domain.host } });
  return id;
}

export function changeDomain(tx: Tx, domain: DomainRow): void {
  tx.run('UPDATE domains SET port = ?, protocol = ? WHERE id = ?', domain.port, domain.protocol, domain.id);
  tx.event({ kind: 'app', appId: domain.app_id, data: { change: 'domains', changed: domain.host } });
}

export function deleteDomain(tx: Tx, domain: DomainRow): void {
  tx.run('DELETE FROM domains WHERE id = ?', domain.id);
  tx.event({ kind: 'app', appId: domain.app_id, data: { change: 'domains', removed: domain.host } });
}
