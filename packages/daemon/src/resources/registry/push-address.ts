import { registryHost } from '../../adapters/proxy/routes.ts';
import { ownRegistryHost } from '../../image-references/own-registry.ts';
import { isValid, servedFor } from '../../routing/host-certificates.ts';
import type { RegistryDeps } from './deps.ts';

const HTTPS = 443;

/**
 * Where an app is pushed to, `registry.example.com/shop/production/web`: the registry's public host once it is served
 * with a certificate, which is what clients ask for; until then the one name that they take without, on this machine.
 */
export function pushAddress(base: Pick<RegistryDeps, 'store' | 'facts' | 'now'>, reference: string): string {
  return `${pushHost(base)}/${reference}`;
}

/** The registry's part of {@link pushAddress}. */
export function pushHost(base: Pick<RegistryDeps, 'store' | 'facts' | 'now'>): string {
  return base.store.memo('push host', () => hostOf(base));
}

function hostOf(base: Pick<RegistryDeps, 'store' | 'facts' | 'now'>): string {
  const { domain, ports } = base.facts;
  const host = registryHost(domain);
  const certificate = servedFor(base, host);
  if (certificate === undefined || !isValid(certificate, base.now())) return ownRegistryHost(base.facts);
  return ports.https === HTTPS ? host : `${host}:${ports.https}`;
}
