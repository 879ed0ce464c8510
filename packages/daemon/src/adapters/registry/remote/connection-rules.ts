/**
 * Rules for the daemon's connections to other registries. Public addresses and addresses that an admin listed are
 * allowed.
 */
import { BlockList, isIP } from 'node:net';
import type { SecureContext } from 'node:tls';
import { canonicalRegistryHost } from '@davit/api';
import { type AddressRule, bareHost, isReservedAddress } from '@davit/service';
import { trustFor } from './trust.ts';

const PLAIN = 'http://';
const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'];

export interface ConnectionSettings {
  /** Returns the canonical entries of `registries.private_hosts`. Each connection reads them again. */
  privateHosts: () => readonly string[];
  /** Returns whether an address is allowed without an entry in the list. */
  isOpen: AddressRule;
  /**
   * Network of the instance's containers, for example `10.208.0.0/12`. Only an entry with the exact address allows a
   * container.
   */
  containers: string;
  /** Returns the certificates that are trusted for a host. Default: {@link trustFor}. */
  trust?: (host: string) => SecureContext;
}

export class ConnectionRules {
  readonly #settings: ConnectionSettings;

  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
  }

  /**
   * Returns the rule for the addresses that the host of a URL resolves to.
   * @param mayBePrivate whether listed addresses are allowed. Listed addresses are allowed for the registry that a user
   * names and for redirects of a listed registry. A public registry must not direct the daemon into the private
   * network.
   */
  ruleFor(url: URL, mayBePrivate: boolean): AddressRule {
    const name = bareHost(url);
    const port = portOf(url);
    return (address) => this.isOpen(address) || (mayBePrivate && this.#isListed(name, port, address));
  }

  /** Returns whether an address is allowed without an entry in the list. */
  isOpen(address: string): boolean {
    return this.#settings.isOpen(address);
  }

  /**
   * Returns whether the host of a URL allows requests without TLS. Loopback hosts allow them, as in engines, and so do
   * hosts that are listed with `http://`.
   */
  allowsPlain(url: URL): boolean {
    const name = bareHost(url);
    if (isLoopbackName(name)) return true;
    return this.#settings
      .privateHosts()
      .some((entry) => entry.startsWith(PLAIN) && isHost(entry.slice(PLAIN.length), name, portOf(url)));
  }

  /** Returns the trusted certificates for a host. @param host as in a URL, with a port if the URL has one */
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
      // A listed name never allows metadata services or containers, whatever address the name resolves to. A listed
      // address does.
      return isHost(host, name, port) && !isReservedAddress(address) && !isContainer;
    });
  }
}

/**
 * Returns whether a canonical `host[:port]` matches this host and port. An entry without a port matches the ports of
 * HTTP and HTTPS.
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
