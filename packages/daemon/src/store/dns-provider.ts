import type { Reader, Tx } from './store.ts';

export interface DnsProviderRow {
  id: number;
  name: string;
  /** lego's code. */
  provider: string;
  /** Sealed JSON of variables. */
  credentials: string;
  /** Their names, JSON. */
  variables: string;
  /** JSON. */
  domains: string;
  check_propagation: number;
  created_at: number;
  updated_at: number;
}

const COLUMNS = 'id, name, provider, credentials, variables, domains, check_propagation, created_at, updated_at';

/** By name. */
export function listDnsProviders(db: Reader): readonly DnsProviderRow[] {
  return db.memo('dns providers', () => db.all<DnsProviderRow>(`SELECT ${COLUMNS} FROM dns_providers ORDER BY name`));
}

export function dnsProviderById(db: Reader, id: number): DnsProviderRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM dns_providers WHERE id = ?`, id);
}

/** @param seal seals the credentials for the provider's number */
export function insertDnsProvider(
  tx: Tx,
  row: Omit<DnsProviderRow, 'id' | 'credentials'>,
  seal: (id: number) => string,
): DnsProviderRow {
  const { id } = tx.run(
    `INSERT INTO dns_providers (name, provider, credentials, variables, domains, check_propagation, created_at, updated_at)
     VALUES (?, ?, '', ?, ?, ?, ?, ?)`,
    row.name,
    row.provider,
    row.variables,
    row.domains,
    row.check_propagation,
    row.created_at,
    row.updated_at,
  );
  const made = { ...row, id, credentials: seal(id) };
  changeDnsProvider(tx, made);
  return made;
}

export function changeDnsProvider(tx: Tx, row: DnsProviderRow): void {
  tx.run(
    `UPDATE dns_providers SET name = ?, provider = ?, credentials = ?, variables = ?, domains = ?, check_propagation = ?,
       updated_at = ? WHERE id = ?`,
    row.name,
    row.provider,
    row.credentials,
    row.variables,
    row.domains,
    row.check_propagation,
    row.updated_at,
    row.id,
  );
  tell(tx);
}

export function deleteDnsProvider(tx: Tx, id: number): void {
  tx.run('DELETE FROM dns_providers WHERE id = ?', id);
  tell(tx);
}

/** That there is something new, and not of whom: credentials are an admin's. */
function tell(tx: Tx): void {
  tx.event({ kind: 'instance', data: { change: 'dns_providers' } });
}
