import type { Instance } from '@davit/api';

/**
 * Returns the registry of an instance for image names. On the same machine, this is a local port, because the engine
 * accepts plain HTTP only from loopback addresses. Elsewhere it is a subdomain of the instance's domain.
 * @param url URL of the API
 */
export function registryHost(url: string, { domain, ports }: Pick<Instance, 'domain' | 'ports'>): string {
  if (isThisMachine(new URL(url).hostname)) return `localhost:${ports.registry}`;
  return `registry.${domain}${ports.https === 443 ? '' : `:${ports.https}`}`;
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^(127\.|\[::1\]$)/.test(hostname);
}
