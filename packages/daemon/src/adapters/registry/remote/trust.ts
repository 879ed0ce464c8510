/**
 * Loads the TLS certificates that Docker on this server trusts for another registry. The daemon trusts the same
 * certificates.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

/**
 * Docker's folder for registry certificates, with one subfolder per registry. The `*.crt` files in a subfolder contain
 * certificate authorities.
 */
const ENGINE_FOLDER = '/etc/docker/certs.d';

/**
 * TLS context with the default certificates. The TLS context is created at its first use, because the system has many
 * certificates and most Davit instances never need them.
 */
let usual: SecureContext | null = null;

/**
 * Returns the TLS certificates that the daemon trusts for a host.
 * @param host host name, with a port if the URL has one
 */
export function trustFor(host: string): SecureContext {
  const own = authoritiesOf(host);
  if (own.length > 0) return createSecureContext({ ca: [...everywhere(), ...own] });
  usual ??= createSecureContext({ ca: everywhere() });
  return usual;
}

function everywhere(): string[] {
  return [...getCACertificates('default'), ...getCACertificates('system')];
}

function authoritiesOf(host: string): string[] {
  const folder = join(ENGINE_FOLDER, host);
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.crt'));
    return names.map((name) => readFileSync(join(folder, name), 'utf8'));
  } catch {
    // Returns no certificates if Docker has no folder for this registry, or if the daemon may not read the folder.
    return [];
  }
}
