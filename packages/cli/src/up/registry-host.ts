import type { Instance } from '@davit/api';

/**
 * Returns the host of the instance's registry, as in image names. For an instance on the same machine, this is
 * `localhost` with a port, because Docker accepts HTTP only for loopback addresses. Otherwise, this is the subdomain
 * `registry` of the instance's domain.
 * @param url URL of the API
 */
export function registryHost(url: string, { domain, ports }: Pick<Instance, 'domain' | 'ports'>): string {
  if (isThisMachine(new URL(url).hostname)) return `localhost:${ports.registry}`;
  return `registry.${domain}${ports.https === 443 ? '' : `:${ports.https}`}`;
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^(127\.|\[::1\]$)/.test(hostname);
}
