import { registryHost } from '../../adapters/proxy/routes.ts';
import { ownRegistryHost } from '../../image-references/own-registry.ts';
import { isValid, servedFor } from '../../routing/host-certificates.ts';
import type { RegistryDeps } from './deps.ts';

const HTTPS = 443;

/** Returns the address for `docker push` to an app, for example `registry.example.com/shop/production/web`. */
export function pushAddress(base: Pick<RegistryDeps, 'store' | 'facts' | 'now'>, reference: string): string {
  return `${pushHost(base)}/${reference}`;
}

/** Returns the registry host for `docker push`, with its port if the port is not the default. */
export function pushHost(base: Pick<RegistryDeps, 'store' | 'facts' | 'now'>): string {
  return base.store.memo('push host', () => hostOf(base));
}

function hostOf(base: Pick<RegistryDeps, 'store' | 'facts' | 'now'>): string {
  const { domain, ports } = base.facts;
  const host = registryHost(domain);
  const certificate = servedFor(base, host);
  // Without a valid certificate, use `localhost`, because Docker accepts `localhost` without a certificate.
  if (certificate === undefined || !isValid(certificate, base.now())) return ownRegistryHost(base.facts);
  return ports.https === HTTPS ? host : `${host}:${ports.https}`;
}
