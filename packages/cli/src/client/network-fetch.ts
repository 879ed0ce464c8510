import { readFile } from 'node:fs/promises';
import type { Agent as HttpAgent } from 'node:http';
import type { AgentOptions } from 'node:https';
import type { Fetch } from '@davit/api';
import { CliError } from '../errors/exit.ts';
import type { Environment } from '../process/env.ts';
import { requestFetch, type SendRequest } from './request-fetch.ts';
import { type Route, routeTo } from './route.ts';

/**
 * Agent for the connections of a {@link Route}, and the function that sends requests with this agent. `null` means the
 * default agent of Node.
 */
interface RouteAgent {
  agent: HttpAgent | null;
  send: SendRequest;
}

/**
 * Returns a `fetch` function for network requests. The function uses the proxy and the certificate authorities from
 * environment variables. It follows no redirects, because a redirect would send the API key to another server. The
 * global `fetch` is not used, because it refuses some ports without an error code.
 * @throws CliError if a request needs a proxy or certificates that cannot be used
 */
export function networkFetch(env: Environment): Fetch {
  const agents = new Map<string, Promise<RouteAgent>>();
  return async (url, init) => {
    const { origin } = new URL(url);
    const made = agents.get(origin) ?? agentFor(origin, env);
    agents.set(origin, made);
    const { send, agent } = await made;
    return requestFetch(send, agent === null ? {} : { agent })(url, init);
  };
}

/**
 * Returns an agent for connections to an `http:` or `https:` URL. The agent is `null` if no environment variable affects
 * these connections.
 * @throws CliError if the proxy or the certificates from the environment variables cannot be used
 */
export async function agentFor(url: string, env: Environment): Promise<RouteAgent> {
  const route = routeTo(url, env);
  const { Agent, request } = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  if (route.proxy === null && route.authorities === null) return { agent: null, send: request };
  const options: AgentOptions = { ...proxyOptions(route), ...(await trustOptions(route)) };
  return { agent: new Agent(options), send: request };
}

function proxyOptions({ proxy }: Route) {
  if (proxy === null) return {};
  if (!hasProxyAgents(process.versions.node)) {
    throw new CliError(
      'usage',
      'This version of Node cannot use a proxy. Install Node 24.5 or later, or add the host of the instance to NO_PROXY.',
    );
  }
  return { proxyEnv: { http_proxy: proxy, https_proxy: proxy } };
}

/**
 * Returns whether the agents of this Node version support a proxy. Older Node versions ignore the option `proxyEnv`.
 */
function hasProxyAgents(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
}

async function trustOptions({ authorities }: Route): Promise<{ ca?: string[] }> {
  if (authorities === null) return {};
  const tls = await import('node:tls');
  // The function `getCACertificates` does not exist in Node before version 22.15.
  const extra = typeof tls.getCACertificates === 'function' ? tls.getCACertificates('extra') : [];
  try {
    const ca = [await readFile(authorities, 'utf8'), ...extra];
    if (!ca[0]?.includes('-----BEGIN CERTIFICATE-----')) throw new Error('read SSL_CERT_FILE: no certificate');
    // Node reports a damaged certificate only when it uses the certificate file.
    tls.createSecureContext({ ca });
    return { ca };
  } catch (cause) {
    throw new CliError(
      'usage',
      `The certificates in ${authorities} cannot be read. Set SSL_CERT_FILE to a file with certificates in PEM format.`,
      { cause },
    );
  }
}
