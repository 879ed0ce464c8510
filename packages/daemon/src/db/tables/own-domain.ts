import { selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insertOrIgnore } from '../write.ts';

const DOMAIN = selectFrom('own_domains', 'domain');

/**
 * Returns the former domains of the Davit instance, sorted by name.
 * @param domain current domain of the instance in lower case, which is not returned
 */
export function formerDomains(db: Reader, domain: string): string[] {
  return db.all(DOMAIN.from('own_domains WHERE domain <> ? ORDER BY domain'), domain).map((row) => row.domain);
}

export function isOwnDomainKnown(db: Reader, domain: string): boolean {
  return db.exists('SELECT 1 FROM own_domains WHERE domain = ?', domain);
}

/** @param domain domain of the Davit instance in lower case */
export function insertOwnDomain(tx: Tx, domain: string, at: number): void {
  insertOrIgnore(tx, 'own_domains', { domain, used_at: at });
}
