/**
 * Rules for the daemon's connections to other registries. The daemon connects only to public IP addresses, and to
 * private IP addresses that an admin has allowed.
 */
import { BlockList, isIP } from 'node:net';
import type { SecureContext } from 'node:tls';
import { canonicalRegistryHost } from '@davit/api';
import { type AddressRule, bareHost, isReservedAddress } from '@davit/service';
import { trustFor } from './trust.ts';

const PLAIN = 'http://';
const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'];

export interface ConnectionSettings {
  /**
   * Returns the private hosts and networks that an admin has allowed (`registries.private_hosts`). The function is
   * called for each connection, so changes apply immediately.
   */
  privateHosts: () => readonly string[];
  /** Returns whether an IP address is allowed without an entry in `registries.private_hosts`. */
  isOpen: AddressRule;
  /**
   * CIDR network of this Davit instance's containers. The daemon connects to an address in this network only if
   * `registries.private_hosts` contains the address.
   */
  containers: string;
  /**
   * Returns the TLS certificates that the daemon trusts for a host. By default, these are the certificates that Docker
   * on the same server trusts.
   */
  trust?: (host: string) => SecureContext;
}

export class ConnectionRules {
  readonly #settings: ConnectionSettings;

  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
  }

  /**
   * Returns a function that checks whether the daemon may connect to an IP address for a URL.
   * @param mayBePrivate `false` after a redirect by a public registry, because such a redirect must not lead to the
   * private network
   */
  ruleFor(url: URL, mayBePrivate: boolean): AddressRule {
    const name = bareHost(url);
    const port = portOf(url);
    return (address) => this.isOpen(address) || (mayBePrivate && this.#isListed(name, port, address));
  }

  /** Returns whether an IP address is allowed without an entry in `registries.private_hosts`. */
  isOpen(address: string): boolean {
    return this.#settings.isOpen(address);
  }

  /**
   * Returns whether the daemon may connect without TLS. Connections without TLS are allowed to loopback hosts, as in
   * Docker, and to `http://` entries of `registries.private_hosts`.
   */
  allowsPlain(url: URL): boolean {
    const name = bareHost(url);
    if (isLoopbackName(name)) return true;
    return this.#settings
      .privateHosts()
      .some((entry) => entry.startsWith(PLAIN) && isHost(entry.slice(PLAIN.length), name, portOf(url)));
  }

  /**
   * Returns the TLS certificates that the daemon trusts for a host.
   * @param host host name, with a port if the URL has one
   */
  trust(host: string): SecureContext {
    return (this.#settings.trust ?? trustFor)(host);
  }

  #isListed(name: string, port: number, address: string): boolean {
    return this.#settings.privateHosts().some((entry) => {
      const isContainer = contains(this.#settings.containers, address);
      if (isNetwork(entry)) return contains(entry, address) && !isContainer;
      const host = entry.replace(PLAIN, '');
      if (LOOPBACK_ADDRESSES.includes(address) ? isHost(host, 'localhost', port) : isHost(host, address, port))
        return true;
      // An allowed host name must not resolve to the address of a container or of a cloud provider's metadata service.
      return isHost(host, name, port) && !isReservedAddress(address) && !isContainer;
    });
  }
}

/**
 * Returns whether an entry `host[:port]` of `registries.private_hosts` matches a host and port. An entry without a port
 * matches only the ports 80 and 443.
 */
function isHost(entry: string, name: string, port: number): boolean {
  const [host = '', entryPort] = entry.split(':');
  const isPort = entryPort === undefined ? port === 443 || port === 80 : Number(entryPort) === port;
  return isPort && host === (canonicalRegistryHost(`${name}:1`) ?? '').split(':')[0];
}

function isNetwork(entry: string): boolean {
  return /^[0-9a-f.:]+\/\d+$/.test(entry);
}

function contains(network: string, address: string): boolean {
  const [base = '', bits] = network.split('/');
  const family = isIP(base) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(address) === 0 || isIP(base) === 0) return false;
  const list = new BlockList();
  list.addSubnet(base, Number(bits), family);
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || /^127\.\d+\.\d+\.\d+$/.test(name);
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
