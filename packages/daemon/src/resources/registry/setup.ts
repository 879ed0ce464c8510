import type { RegistrySetup } from '../../adapters/registry/registry.ts';
import { REGISTRY_SERVICE, type RegistryKeys } from '../../auth/registry-keys.ts';
import type { InstanceFacts } from '../../config/instance-facts.ts';

/** What the instance's own registry is set up with at this moment. */
export function registrySetup({ ports, apiAddress }: InstanceFacts, keys: RegistryKeys): RegistrySetup {
  const api = ownAddress(apiAddress);
  return {
    port: ports.registry,
    // For who pushes from this machine; the proxy puts the public address in its place for everybody else.
    realm: `${api}/v2/token`,
    service: REGISTRY_SERVICE,
    issuer: keys.issuer,
    certificate: keys.certificate(),
    hook: { url: `${api}/hooks/registry`, secret: keys.hookSecret() },
  };
}

/** Where the API is reached from this machine. */
function ownAddress({ address, port }: InstanceFacts['apiAddress']): string {
  if (address === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (address === '::') return `http://[::1]:${port}`;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
