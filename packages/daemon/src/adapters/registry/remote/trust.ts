/**
 * Certificates that the daemon trusts for another registry. The daemon trusts the certificates that the engine on the
 * same server trusts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

/**
 * Folder of Docker Engine with one folder for each registry. The `*.crt` files in these folders are certificate
 * authorities.
 */
const ENGINE_FOLDER = '/etc/docker/certs.d';

/**
 * Context with the default certificates. Created at the first use, because the system's list is long and most instances
 * never need it.
 */
let usual: SecureContext | null = null;

/** Returns the trusted certificates for a host. @param host as in a URL, with a port if the URL has one */
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
    // Usually the administrator added no certificates for this registry. The daemon may also lack permission to read
    // them.
    return [];
  }
}
