import type { Sealer } from '../../db/seal.ts';
import type { DnsProviderRow } from '../../db/tables/dns-provider.ts';

function locationOf(id: number): string {
  return `dns_providers/${id}/credentials`;
}

export function sealCredentials(sealer: Sealer, id: number, credentials: Record<string, string>): string {
  return sealer.seal(JSON.stringify(credentials), locationOf(id));
}

/**
 * Decrypts the credentials of a DNS provider.
 * @throws SealBroken if the encrypted credentials were changed outside Davit
 */
export function credentialsOf(sealer: Sealer, { id, credentials }: DnsProviderRow): Record<string, string> {
  return JSON.parse(sealer.open(credentials, locationOf(id))) as Record<string, string>;
}
