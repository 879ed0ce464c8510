import type { Fetch } from '@davit/api';
import type { Connection } from '../credentials/choose.ts';
import { CliError } from '../errors/exit.ts';
import type { Environment } from '../process/env.ts';
import type { Runtime } from '../process/runtime.ts';
import { networkFetch } from './network-fetch.ts';
import type { StreamingFetch } from './request-fetch.ts';
import { routeTo } from './route.ts';
import { unixFetch } from './unix-fetch.ts';

/**
 * Cause of a failed `fetch` request. The message of the cause is not printed, because it may contain data of the
 * request.
 */
interface NetworkFailure {
  code?: string;
}

/**
 * Matches an empty segment, `.` or `..` in a URL path. `fetch` would normalize such a path, so the request would call
 * another API operation.
 */
const NO_NAME = /\/\.{0,2}(?=[/?]|$)/;

/**
 * Returns a `fetch` function for requests to an instance.
 * @throws CliError with exit `unreachable` if there is no response, or if the response is not from Davit
 */
export function fetchOf(connection: Connection, runtime: Runtime): Fetch {
  const sendRequest: Fetch = connection.socketPath ? unixFetch(connection.socketPath) : overNetwork(runtime);
  return checked(sendRequest, connection, runtime);
}

/** Returns a `fetch` function for requests through the Unix socket of an instance. A body can be a stream. */
export function socketFetchOf(connection: Connection & { socketPath: string }, runtime: Runtime): StreamingFetch {
  return checked(unixFetch(connection.socketPath), connection, runtime);
}

function checked<Init extends Pick<Parameters<Fetch>[1], 'headers' | 'signal'>>(
  sendRequest: (url: string, init: Init) => Promise<Response>,
  connection: Connection,
  runtime: Runtime,
): (url: string, init: Init) => Promise<Response> {
  return async (url, init) => {
    if (NO_NAME.test(url.slice(connection.url.length))) {
      throw new CliError(
        'usage',
        'A name in the command is empty or contains only dots. Write the complete name of the resource.',
      );
    }
    let response: Response;
    try {
      response = await sendRequest(url, { ...init, headers: { 'davit-via': 'cli', ...init.headers } });
    } catch (error) {
      if (init.signal?.aborted || error instanceof CliError) throw error;
      throw new CliError('unreachable', whyUnreachable(connection, failureOf(error), runtime.env), { cause: error });
    }
    if (response.headers.has('davit-version')) return response;
    await response.body?.cancel();
    throw new CliError(
      'unreachable',
      `${connection.url} is not an instance of Davit (HTTP ${response.status}). Check the address and the proxies in front of the instance.`,
    );
  };
}

function overNetwork({ fetch, env }: Runtime): Fetch {
  return fetch === undefined ? networkFetch(env) : (url, init) => fetch(url, { ...init, redirect: 'manual' });
}

/** Returns the error message for a network error. The message contains a solution for the user. */
export function whyUnreachable(
  { url, socketPath }: Connection,
  { code = '' }: NetworkFailure,
  env: Pick<Environment, 'variable'>,
): string {
  if (socketPath !== undefined) return whyNoSocket(socketPath, code);
  const { hostname, port, protocol } = new URL(url);
  if (/CERT|SIGNED|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return `The certificate of ${url} is not trusted (${code}). If you use your own certificate authority, set NODE_EXTRA_CA_CERTS to its certificate.`;
  }
  const { proxy } = routeTo(url, env);
  if (proxy !== null) {
    return `Cannot reach ${url} through the proxy ${new URL(proxy).origin} (${code || 'the connection was interrupted'}). Check the proxy, or add ${hostname} to NO_PROXY.`;
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `Cannot resolve the host name ${hostname} of ${url}. Check the spelling and the network.`;
  }
  if (code === 'ECONNREFUSED') {
    return `Nothing answers at ${url}. Check that the instance is running and listens on port ${port || (protocol === 'https:' ? 443 : 80)}.`;
  }
  if (/^EPROTO$|SSL|HPE_/.test(code)) {
    return `${url} does not speak ${protocol === 'https:' ? 'TLS' : 'HTTP'}. Check whether the address must begin with http:// or https://.`;
  }
  return `${url} did not answer (${code || 'the connection was interrupted'}). Check the network, the firewall, and that the instance is running.`;
}

function whyNoSocket(path: string, code: string): string {
  if (code === 'EACCES')
    return `You have no permission for the socket ${path}. Run the command as the user who runs the instance.`;
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ECONNREFUSED') {
    return `No instance uses the socket ${path} on this server. Start the instance, or set DAVIT_DATA_DIR to its data directory.`;
  }
  return `The instance behind ${path} did not answer (${code || 'the connection was interrupted'}). Check the log of the instance.`;
}

function failureOf(error: unknown): NetworkFailure {
  const { cause } = error as { cause?: NetworkFailure & { errors?: NetworkFailure[] } };
  /*
   * If a host name has several IP addresses, a request can fail with one error per address. Only the first error is
   * reported.
   */
  return cause?.errors?.[0] ?? cause ?? (error as NetworkFailure);
}
