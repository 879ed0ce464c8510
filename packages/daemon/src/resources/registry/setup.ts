import type { RegistrySetup } from '../../adapters/registry/registry.ts';
import { REGISTRY_SERVICE, type RegistryKeys } from '../../auth/registry-keys.ts';
import type { InstanceFacts } from '../../config/instance-facts.ts';

/** Returns the configuration of the instance's registry. */
export function registrySetup({ ports, apiAddress }: InstanceFacts, keys: RegistryKeys): RegistrySetup {
  const api = ownAddress(apiAddress);
  return {
    port: ports.registry,
    // Token URL for clients on this server. HAProxy replaces this URL with the public token URL for all other clients.
    realm: `${api}/v2/token`,
    service: REGISTRY_SERVICE,
    issuer: keys.issuer,
    certificate: keys.certificate(),
    hook: { url: `${api}/hooks/registry`, secret: keys.hookSecret() },
  };
}

/** Returns the URL of the API for programs on this server. */
function ownAddress({ address, port }: InstanceFacts['apiAddress']): string {
  if (address === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (address === '::') return `http://[::1]:${port}`;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
