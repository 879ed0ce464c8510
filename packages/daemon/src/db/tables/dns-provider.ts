import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, update } from '../write.ts';

const PROVIDER = selectFrom(
  'dns_providers',
  'id, name, provider, credentials, variables, domains, check_propagation, created_at, updated_at',
);

export type DnsProviderRow = Row<typeof PROVIDER>;

/** Returns all DNS providers, sorted by name. The result is cached until a transaction changes the database. */
export function listDnsProviders(db: Reader): readonly DnsProviderRow[] {
  return db.memo('dns providers', () => db.all(PROVIDER.from('dns_providers ORDER BY name')));
}

export function dnsProviderById(db: Reader, id: number): DnsProviderRow | undefined {
  return db.get(PROVIDER.from('dns_providers WHERE id = ?'), id);
}

/**
 * Inserts a DNS provider and publishes an event.
 * @param seal encrypts the credentials. The argument is the id of the new row, because the encrypted text is valid only
 * for this row.
 */
export function insertDnsProvider(
  tx: Tx,
  row: Omit<DnsProviderRow, 'id' | 'credentials'>,
  seal: (id: number) => string,
): DnsProviderRow {
  const id = insert(tx, 'dns_providers', {
    name: row.name,
    provider: row.provider,
    credentials: '',
    variables: row.variables,
    domains: row.domains,
    check_propagation: row.check_propagation,
    created_at: row.created_at,
    updated_at: row.updated_at,
  });
  const made = { ...row, id, credentials: seal(id) };
  changeDnsProvider(tx, made);
  return made;
}

export function changeDnsProvider(tx: Tx, row: DnsProviderRow): void {
  update(tx, 'dns_providers', row.id, {
    name: row.name,
    provider: row.provider,
    credentials: row.credentials,
    variables: row.variables,
    domains: row.domains,
    check_propagation: row.check_propagation,
    updated_at: row.updated_at,
  });
  publishChange(tx);
}

export function deleteDnsProvider(tx: Tx, id: number): void {
  tx.run('DELETE FROM dns_providers WHERE id = ?', id);
  publishChange(tx);
}

/**
 * Publishes an event after a change of the DNS providers. The event does not contain the name of the provider, because
 * only admins may see DNS providers.
 */
function publishChange(tx: Tx): void {
  tx.event({ kind: 'instance', data: { change: 'dns_providers' } });
}
