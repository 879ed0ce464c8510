/** Which certificates the daemon trusts of another registry: those that the engine on the same machine trusts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

/** Folder of the Docker Engine with a folder a registry; its `*.crt` are certificate authorities. */
const ENGINE_FOLDER = '/etc/docker/certs.d';

/** Made at first use: the system's list is long, and most instances with an own registry never need it. */
let usual: SecureContext | null = null;

/** @param host as in a URL, with a port where it has one */
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
    // The usual case: the administrator added none for this registry, or the daemon may not read them.
    return [];
  }
}
