import type { Instance } from '@davit/api';

/** Returns the host of the instance's registry in the form that image names use. */
export function registryHost(url: string, { domain, ports }: Pick<Instance, 'domain' | 'ports'>): string {
  /*
   * Docker allows HTTP only for loopback addresses. Therefore, `localhost` must be the registry host of a local
   * instance.
   */
  if (isThisMachine(new URL(url).hostname)) return `localhost:${ports.registry}`;
  return `registry.${domain}${ports.https === 443 ? '' : `:${ports.https}`}`;
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^(127\.|\[::1\]$)/.test(hostname);
}
