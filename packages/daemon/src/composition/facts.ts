import { join } from 'node:path';
import type { InstanceSettings } from '@davit/api';
import type { Config } from '../config/config.ts';
import type { InstanceFacts } from '../config/instance-facts.ts';
import { domainOf, type Interfaces, publicListenAddress } from '../resources/certificates/public-address.ts';
import { VERSION } from '../version.ts';

export interface FactSources {
  config: Config;
  id: string;
  settings: () => InstanceSettings;
  /**
   * Network interfaces of the server. Davit derives the default domain of the instance from the IP addresses of these
   * interfaces.
   */
  interfaces: Interfaces;
}

/**
 * Returns the properties of the instance. Each read computes the domain from the settings, the configuration and the
 * server's network interfaces.
 */
export function factsOf({ config, id, settings, interfaces }: FactSources): InstanceFacts {
  const listenAddress = publicListenAddress(config.listen.host, interfaces);
  const { domain: configured, domainIsSet: isConfigured } = config;
  const resultOf = ({ domain, public_address: publicAddress }: Pick<InstanceSettings, 'domain' | 'public_address'>) =>
    domainOf({ domain, publicAddress, configured, isConfigured, listenAddress });
  return {
    id,
    version: VERSION,
    get domain() {
      return resultOf(settings()).domain;
    },
    domainWith: (other) => resultOf(other).domain,
    get domainAddress() {
      return resultOf(settings()).address;
    },
    ports: portsOf(config),
    apiAddress: { address: config.listen.host, port: config.listen.port },
    dataDir: config.dataDir,
    socket: join(config.dataDir, 'davit.sock'),
  };
}

export function portsOf({ httpPort, httpsPort, registryPort }: Config): InstanceFacts['ports'] {
  return { http: httpPort.port, https: httpsPort.port, registry: registryPort.port };
}
