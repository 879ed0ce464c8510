import type { Instance } from '@davit/api';

/** Returns the host of the instance's registry, as in image names. */
export function registryHost(url: string, { domain, ports }: Pick<Instance, 'domain' | 'ports'>): string {
  // Docker allows HTTP only for loopback addresses, so the name of a local instance must be `localhost`.
  if (isThisMachine(new URL(url).hostname)) return `localhost:${ports.registry}`;
  return `registry.${domain}${ports.https === 443 ? '' : `:${ports.https}`}`;
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^(127\.|\[::1\]$)/.test(hostname);
}
