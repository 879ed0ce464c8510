import type { Instance } from '@davit/api';

/**
 * The registry of an instance, as images are named by: on this machine by its port, since the engine takes plain HTTP
 * from the loopback address only; elsewhere below the instance's domain.
 * @param url where the API is spoken to
 */
export function registryHost(url: string, { domain, ports }: Pick<Instance, 'domain' | 'ports'>): string {
  if (isThisMachine(new URL(url).hostname)) return `localhost:${ports.registry}`;
  return `registry.${domain}${ports.https === 443 ? '' : `:${ports.https}`}`;
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^(127\.|\[::1\]$)/.test(hostname);
}
