import { columnsOf, type Row, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, update } from '../write.ts';

const d = columnsOf('domains', 'd');
const DOMAIN = select(d);

/** Domain of an app: a host, or one path of a host. */
export type DomainRow = Row<typeof DOMAIN>;

const OWNED = select({ ...d, project_id: columnsOf('environments', 'e').project_id });
const OWNED_FROM = 'domains d JOIN apps a ON a.id = d.app_id JOIN environments e ON e.id = a.environment_id';

export type OwnedDomainRow = Row<typeof OWNED>;

const HOST = selectFrom('domains', 'host');
const HOST_OF_PROJECT = select({ host: d.host, project: columnsOf('projects', 'p').slug });
const RULES = select({ bytes: sql.integer('coalesce(sum(length(rules) + coalesce(length(basic_auth), 0)), 0)') });

/** Returns the domains of an app, sorted by host and path. */
export function domainsOfApp(db: Reader, appId: number): DomainRow[] {
  return db.all(DOMAIN.from('domains d WHERE app_id = ? ORDER BY host, path'), appId);
}

/** Returns the domains of all apps, sorted by host and path. */
export function allDomains(db: Reader): DomainRow[] {
  return db.all(DOMAIN.from('domains d ORDER BY host, path'));
}

export function domainById(db: Reader, id: number): DomainRow | undefined {
  return db.get(DOMAIN.from('domains d WHERE id = ?'), id);
}

/** Returns the domains of all apps on one host, sorted by path. */
export function domainsOfHost(db: Reader, host: string): OwnedDomainRow[] {
  return db.all(OWNED.from(`${OWNED_FROM} WHERE d.host = ? ORDER BY d.path`), host);
}

/** Returns the domains that redirect to a host, sorted by host and path. */
export function domainsRedirectedTo(db: Reader, host: string): OwnedDomainRow[] {
  return db.all(OWNED.from(`${OWNED_FROM} WHERE d.redirect_to = ? ORDER BY d.host, d.path`), host);
}

/**
 * Returns the domain of another project that is a parent domain or a subdomain of the given host. If there are several
 * such domains, returns the one with the most similar length.
 */
export function domainNear(db: Reader, host: string, projectId: number): OwnedDomainRow | undefined {
  const below = `.${host}`;
  return db.get(
    OWNED.from(
      `${OWNED_FROM} WHERE e.project_id <> ?4
          AND (substr(d.host, -?2) = ?3 OR substr(?1, -length(d.host) - 1) = '.' || d.host)
        ORDER BY abs(length(d.host) - length(?1)), d.host LIMIT 1`,
    ),
    ...[host, below.length, below, projectId],
  );
}

/**
 * Returns the host names of all app domains with the slugs of their projects, sorted by name. If several projects use a
 * host, the result has one row for each project.
 */
export function hostsOfProjects(db: Reader): Row<typeof HOST_OF_PROJECT>[] {
  return db.all(HOST_OF_PROJECT.distinctFrom(`${OWNED_FROM} JOIN projects p ON p.id = e.project_id ORDER BY d.host`));
}

/**
 * Returns the hosts that are equal to the given name or are subdomains of it. Only hosts of app domains are returned.
 */
export function hostsWithin(db: Reader, name: string): string[] {
  const below = `.${name}`;
  return db
    .all(HOST.distinctFrom('domains WHERE host = ?1 OR substr(host, -?2) = ?3'), ...[name, below.length, below])
    .map(({ host }) => host);
}

/** Returns whether a host of the given projects is equal to `name` or is a subdomain of `name`. */
export function haveHostWithin(db: Reader, projectIds: readonly number[], name: string): boolean {
  const below = `.${name}`;
  const found = db.get(
    HOST.from(
      `${OWNED_FROM} WHERE (d.host = ?1 OR substr(d.host, -?2) = ?3)
         AND e.project_id IN (SELECT value FROM json_each(?4)) LIMIT 1`,
    ),
    ...[name, below.length, below, JSON.stringify(projectIds)],
  );
  return found !== undefined;
}

/** Returns the size in bytes of an app's proxy rules and basic authentication settings in the database. */
export function ruleBytesOfApp(db: Reader, appId: number): number {
  return db.get(RULES.from('domains WHERE app_id = ?'), appId)?.bytes ?? 0;
}

/** Domain to insert. The id and the basic authentication are added later. */
export type NewDomain = Omit<DomainRow, 'id' | 'basic_auth'>;

/**
 * Inserts a domain without basic authentication, and publishes an event. Call `setBasicAuth` to add basic
 * authentication.
 */
export function insertDomain(tx: Tx, domain: NewDomain): number {
  const id = insert(tx, 'domains', {
    app_id: domain.app_id,
    host: domain.host,
    path: domain.path,
    port: domain.port,
    protocol: domain.protocol,
    https: domain.https,
    redirect_to: domain.redirect_to,
    rules: domain.rules,
    created_at: domain.created_at,
  });
  tx.event({ kind: 'app', appId: domain.app_id, data: { change: 'domains', added: domain.host } });
  return id;
}

export function changeDomain(tx: Tx, domain: DomainRow): void {
  update(tx, 'domains', domain.id, {
    path: domain.path,
    port: domain.port,
    protocol: domain.protocol,
    https: domain.https,
    redirect_to: domain.redirect_to,
    rules: domain.rules,
    basic_auth: domain.basic_auth,
  });
  tx.event({ kind: 'app', appId: domain.app_id, data: { change: 'domains', changed: domain.host } });
}

/**
 * Stores the basic authentication of a new domain. A separate function is necessary, because the encryption needs the
 * id of the domain.
 * @param sealed encrypted value, or `null`
 */
export function setBasicAuth(tx: Tx, id: number, sealed: string | null): void {
  update(tx, 'domains', id, { basic_auth: sealed });
}

export function deleteDomain(tx: Tx, domain: DomainRow): void {
  tx.run('DELETE FROM domains WHERE id = ?', domain.id);
  tx.event({ kind: 'app', appId: domain.app_id, data: { change: 'domains', removed: domain.host } });
}
