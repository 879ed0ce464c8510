/** Selects the proxy and the certificate authorities for a request from environment variables, like curl. */
import { BlockList, isIP } from 'node:net';
import { CliError } from '../errors/exit.ts';
import type { Environment } from '../process/env.ts';

type Variable = Environment['variable'];

export interface Route {
  /** URL of the proxy, which can contain credentials. `null` for a direct connection. */
  proxy: string | null;
  /** Path of a file with the trusted certificate authorities. `null` means the certificate authorities of Node. */
  authorities: string | null;
}

/**
 * Returns the proxy and the certificate authorities for requests to a URL. Environment variables determine both.
 * @throws CliError with exit `usage` if the URL of the proxy is invalid
 */
export function routeTo(url: string, { variable }: Pick<Environment, 'variable'>): Route {
  const { protocol, hostname, port } = new URL(url);
  const isSecure = protocol === 'https:';
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isDirect = isLoopback(host) || isExcepted(host, port || (isSecure ? '443' : '80'), variable);
  return {
    proxy: isDirect ? null : proxyOf(isSecure, variable),
    authorities: isSecure ? (variable('SSL_CERT_FILE') ?? null) : null,
  };
}

function proxyOf(isSecure: boolean, variable: Variable): string | null {
  for (const name of namesOf(isSecure, variable)) {
    const given = variable(name);
    if (given === undefined) continue;
    const url = given.includes('://') ? given : `http://${given}`;
    if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return new URL(url).href;
    // The error message does not contain the URL of the proxy, because the URL can contain a password.
    throw new CliError(
      'usage',
      `${name} is not the address of a proxy. Write for example http://proxy.example.com:3128.`,
    );
  }
  return null;
}

/** Returns the names of the environment variables for the proxy. The first variable that is set is used. */
function namesOf(isSecure: boolean, variable: Variable): string[] {
  if (isSecure) return ['https_proxy', 'HTTPS_PROXY'];
  // In a CGI program, `HTTP_PROXY` is ignored, because web servers set it to the request header `Proxy`.
  return variable('REQUEST_METHOD') === undefined ? ['http_proxy', 'HTTP_PROXY'] : ['http_proxy'];
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || isInRange(host, '127.0.0.0/8');
}

/**
 * Returns whether `NO_PROXY` contains the host. `NO_PROXY` lists host names, parent domains, IP addresses and IP
 * ranges.
 */
function isExcepted(host: string, port: string, variable: Variable): boolean {
  const list = variable('no_proxy') ?? variable('NO_PROXY') ?? '';
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => entry === '*' || matches(entry, host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  // An IPv6 address without brackets has no port.
  const [, bracketed, plain, onlyPort] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [];
  if (onlyPort !== undefined && onlyPort !== port) return false;
  const name = (bracketed ?? plain ?? entry).replace(/^\*?\./, '').replace(/\.$/, '');
  return host === name || (isIP(host) === 0 && host.endsWith(`.${name}`)) || isInRange(host, name);
}

/** Returns whether a host is an IP address in a range. A range is a single address or a CIDR such as `10.0.0.0/8`. */
function isInRange(host: string, range: string): boolean {
  const family = isIP(host);
  const most = family === 4 ? 32 : 128;
  const [network = '', bits = String(most)] = range.split('/');
  if (family === 0 || isIP(network) !== family || !/^\d{1,3}$/.test(bits) || Number(bits) > most) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const ranges = new BlockList();
  ranges.addSubnet(network, Number(bits), type);
  return ranges.check(host, type);
}
