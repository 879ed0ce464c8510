import type { Domain } from '@davit/api';
import type { Reader, Tx } from './store.ts';

/** A host, or a part of it, that an app was given. */
export interface DomainRow {
  id: number;
  app_id: number;
  host: string;
  /** Empty: every path. */
  path: string;
  /** Null: the app's own. */
  port: number | null;
  protocol: Domain['protocol'];
  https: Domain['https'];
  redirect_to: string | null;
  /** JSON of what else it does. */
  rules: string;
  /** Sealed; null: everybody may enter. */
  basic_auth: string | null;
  created_at: number;
}

const COLUMNS = 'id, app_id, host, path, port, protocol, https, redirect_to, rules, basic_auth, created_at';

/** By host and path. */
export function domainsOfApp(db: Reader, appId: number): DomainRow[] {
  return db.all(`SELECT ${COLUMNS} FROM domains WHERE app_id = ? ORDER BY host, path`, appId);
}

/** By host and path. */
export function allDomains(db: Reader): DomainRow[] {
  return db.all(`SELECT ${COLUMNS} FROM domains ORDER BY host, path`);
}

export function domainById(db: Reader, id: number): DomainRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM domains WHERE id = ?`, id);
}

/** A domain with the project that its app is in. */
export interface OwnedDomainRow extends DomainRow {
  project_id: number;
}

const OWNED = `SELECT d.${COLUMNS.replaceAll(', ', ', d.')}, e.project_id
  FROM domains d JOIN apps a ON a.id = d.app_id JOIN environments e ON e.id = a.environment_id`;

/** What a host is divided into, by path. */
export function domainsOfHost(db: Reader, host: string): OwnedDomainRow[] {
  return db.all(`${OWNED} WHERE d.host = ? ORDER BY d.path`, host);
}

/** Those whose requests are sent to a host. */
export function domainsRedirectedTo(db: Reader, host: string): OwnedDomainRow[] {
  return db.all(`${OWNED} WHERE d.redirect_to = ? ORDER BY d.host, d.path`, host);
}

/** Every host that is a name below another one, or that name itself. */
export function hostsWithin(db: Reader, name: string): string[] {
  const below = `.${name}`;
  return db
    .all<{ host: string }>(
      'SELECT DISTINCT host FROM domains WHERE host = ?1 OR substr(host, -?2) = ?3',
      ...[name, below.length, below],
    )
    .map(({ host }) => host);
}

/** How much is kept of an app's domains beyond their names, in bytes. */
export function ruleBytesOfApp(db: Reader, appId: number): number {
  const sql = 'SELECT coalesce(sum(length(rules) + coalesce(length(basic_auth), 0)), 0) AS bytes FROM domains';
  return db.get<{ bytes: number }>(`${sql} WHERE app_id = ?`, appId)?.bytes ?? 0;
}

/** What is kept before a seal can name the row. */
export type NewDomain = Omit<DomainRow, 'id' | 'basic_auth'>;

/** Without a password yet: {@link setBasicAuth}. */
export function insertDomain(tx: Tx, domain: NewDomain): number {
  const { id } = tx.run(
    `INSERT INTO domains (app_id, host, path, port, protocol, https, redirect_to, rules, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    domain.app_id,
    domain.host,
    domain.path,
    domain.port,
    domain.protocol,
    domain.https,
    domain.redirect_to,
    domain.rules,
    domain.created_at,
  );
  tx.event({ kind: 'app', appId: domain.app_id, data: { change: 'domains', added: domain.host } });
  return id;
}

export function changeDomain(tx: Tx, domain: DomainRow): void {
  tx.run(
    `UPDATE domains SET path = ?, port = ?, protocol = ?, https = ?, redirect_to = ?, rules = ?, basic_auth = ?
     WHERE id = ?`,
    domain.path,
    domain.port,
    domain.protocol,
    domain.https,
    domain.redirect_to,
    domain.rules,
    domain.basic_auth,
    domain.id,
  );
  tx.event({ kind: 'app', appId: domain.app_id, data: { change: 'domains', changed: domain.host } });
}

/** Of a row that was just made: its seal needs its number. @param sealed null: everybody may enter */
export function setBasicAuth(tx: Tx, id: number, sealed: string | null): void {
  tx.run('UPDATE domains SET basic_auth = ? WHERE id = ?', sealed, id);
}

export function deleteDomain(tx: Tx, domain: DomainRow): void {
  tx.run('DELETE FROM domains WHERE id = ?', domain.id);
  tx.event({ kind: 'app', appId: domain.app_id, data: { change: 'domains', removed: domain.host } });
}
