/**
 * Client for all requests to the Docker Engine API. Each request has a deadline or an abort signal. Connections stay
 * open for later requests.
 */

import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { EngineRefused } from '../../errors.ts';
import { EngineAnswer, isRefusedIn, Refusal, timedOut, translate } from './errors.ts';

/**
 * Supported versions of the Docker Engine API. Docker 20.10 uses API version 1.41 and is the oldest Docker version in
 * supported Linux distributions.
 */
const API = { oldest: '1.41', newestTried: '1.51' };

const CALL_TIMEOUT_MS = 30_000;

/**
 * Deadline in milliseconds for slow Docker requests. For example, creating or starting a container can take long on a
 * busy server.
 */
export const SLOW_CALL_MS = 120_000;

export interface EngineCall {
  /** Name of the request in error messages, for example `create container`. */
  doing: string;
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path in the Docker Engine API without the version, for example `/containers/json`. */
  path: string;
  query?: Record<string, string | number | boolean | object>;
  body?: object;
  /** Tar archive that is sent as the request body instead of JSON. */
  archive?: Readable;
  /**
   * Deadline of the request in milliseconds. Default: 30 seconds. `null` means no deadline, but then the request needs
   * an abort signal.
   */
  timeoutMs?: number | null;
  signal?: AbortSignal | undefined;
  /** User name and password for an image registry. */
  auth?: { username: string; password: string } | null;
  /**
   * Whether to use a new connection. While Docker stops, it refuses new connections. On an open connection, Docker
   * could still start a container that it cannot control later.
   */
  fresh?: boolean;
}

export interface DockerClient extends AsyncDisposable {
  /** Address of Docker: `unix:///var/run/docker.sock` or `tcp://host:port`. */
  readonly address: string;
  /** Sends a request and returns the decoded response body, or `null` if the body is empty. */
  call<T>(call: EngineCall): Promise<T>;
  /** Sends a request and returns the response body as a stream. The deadline ends when the response headers arrive. */
  stream(call: EngineCall): Promise<IncomingMessage>;
  /**
   * Sends a request and returns the upgraded connection. The caller must close the connection. The deadline applies
   * only to the upgrade.
   */
  hijack(call: EngineCall): Promise<Duplex>;
}

/** @param dockerHost Docker's address in the format of the variable DOCKER_HOST, or `null` for the default socket */
export function createDockerClient(dockerHost: string | null): DockerClient {
  const { address, target } = parseDockerHost(dockerHost);
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 16 });
  let version: Promise<string> | null = null;

  /**
   * Returns the negotiated version of the Docker Engine API. After an error that a Docker update may have caused, the
   * version is negotiated again.
   */
  function agreed(): Promise<string> {
    version ??= negotiate(target, agent, address).catch((error: unknown) => {
      version = null;
      throw error;
    });
    return version;
  }

  async function send<T>(call: Sending, finish: (answer: Answer) => T | Promise<T>): Promise<T> {
    const timeoutMs = call.timeoutMs === undefined ? CALL_TIMEOUT_MS : call.timeoutMs;
    const deadline = new AbortController();
    const timer = timeoutMs === null ? undefined : setTimeout(() => deadline.abort(), timeoutMs);
    const signal = call.signal === undefined ? deadline.signal : AbortSignal.any([call.signal, deadline.signal]);
    try {
      call.signal?.throwIfAborted();
      return await finish(await dial({ target, agent, version: await agreed() }, call, signal));
    } catch (cause) {
      if (call.signal?.aborted) throw call.signal.reason;
      if (deadline.signal.aborted) throw timedOut(call.doing, address, timeoutMs ?? 0);
      const error = translate(cause, call.doing, address);
      if (!(error instanceof Refusal) || isRefusedIn(error, 'api_version_refused')) version = null;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    address,
    call: <T>(call: EngineCall) => send(call, async ({ head }) => (await readAnswer(head)) as T),
    stream: (call) => send(call, ({ head }) => head),
    hijack: (call) => send({ ...call, hijack: true }, ({ connection }) => connection),
    [Symbol.asyncDispose]: async () => agent.destroy(),
  };
}

export type Target = { socketPath: string } | { host: string; port: number };

/** @throws EngineRefused if the format of the DOCKER_HOST address is not supported */
export function parseDockerHost(dockerHost: string | null): { address: string; target: Target } {
  const address = dockerHost === null || dockerHost === '' ? 'unix:///var/run/docker.sock' : dockerHost;
  const socketPath = /^unix:\/\/(\/.+)$/.exec(address)?.[1];
  if (socketPath !== undefined) return { address, target: { socketPath } };
  const [, host, port] = /^(?:tcp|http):\/\/([^/:]+|\[[0-9a-f:]+\])(?::(\d+))?\/?$/i.exec(address) ?? [];
  if (host !== undefined)
    return { address, target: { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? 2375) } };
  throw new EngineRefused(
    `DOCKER_HOST has the value ${address}, which is not supported. Set it to unix:///path/of/docker.sock or tcp://host:port.`,
  );
}

interface Version {
  Version: string;
  ApiVersion: string;
  MinAPIVersion?: string;
}

/**
 * Returns the lowest API version that both Davit and Docker support. Only the lowest version is tested.
 * @throws EngineRefused if Docker is too old or too new
 */
async function negotiate(target: Target, agent: Agent, address: string): Promise<string> {
  const call = { doing: 'read the version of Docker', path: '/version' };
  const { head } = await dial({ target, agent, version: null }, call, AbortSignal.timeout(CALL_TIMEOUT_MS));
  const version = (await readAnswer(head)) as Version;
  if (compare(version.ApiVersion, API.oldest) < 0) {
    throw new EngineRefused(
      `The Docker Engine ${version.Version} at ${address} is too old (API ${version.ApiVersion}). Update it to version 20.10 or later.`,
    );
  }
  const minimum = version.MinAPIVersion ?? API.oldest;
  if (compare(minimum, API.newestTried) > 0) {
    throw new EngineRefused(
      `The Docker Engine ${version.Version} at ${address} requires API ${minimum} or later, which this version of Davit does not support. Update Davit.`,
    );
  }
  return compare(minimum, API.oldest) > 0 ? minimum : API.oldest;
}

/** Compares two API versions numerically, so `1.41` comes before `1.100`. */
function compare(a: string, b: string): number {
  const [majorA = 0, minorA = 0] = a.split('.').map(Number);
  const [majorB = 0, minorB = 0] = b.split('.').map(Number);
  return majorA - majorB || minorA - minorB;
}

interface Line {
  target: Target;
  agent: Agent;
  /** Version of the Docker Engine API, or `null` before the negotiation. */
  version: string | null;
}

type Sending = EngineCall & { hijack?: boolean };

/** HTTP response of Docker and its connection. The response headers have arrived. */
interface Answer {
  head: IncomingMessage;
  connection: Duplex;
}

/**
 * Sends an HTTP request and returns the response when its headers have arrived.
 * @throws EngineAnswer for an HTTP error status
 */
async function dial({ target, agent: kept, version }: Line, call: Sending, signal: AbortSignal): Promise<Answer> {
  const { method = 'GET', body, archive, auth, hijack = false } = call;
  const agent = call.fresh || hijack ? false : kept;
  const payload = body === undefined ? '' : JSON.stringify(body);
  const headers: Record<string, string> = { host: 'docker' };
  if (archive) headers['content-type'] = 'application/x-tar';
  else if (body !== undefined) headers['content-type'] = 'application/json';
  if (!archive && method !== 'GET') headers['content-length'] = String(Buffer.byteLength(payload));
  if (auth) headers['x-registry-auth'] = registryAuthHeader(auth);
  if (hijack) Object.assign(headers, { connection: 'Upgrade', upgrade: 'tcp' });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const path = `${version === null ? '' : `/v${version}`}${call.path}${queryOf(call)}`;
  const clientRequest = request({ ...target, agent, method, path, headers, signal }, (head) => {
    resolve({ head, connection: head.socket });
  }).on('error', reject);
  /*
   * If Docker unexpectedly switches the protocol (HTTP upgrade), Node.js emits the event `close` without the event
   * `error`.
   */
  clientRequest.on('close', () => reject(new Error('the connection ended without an HTTP response')));
  if (hijack)
    clientRequest.once('upgrade', (head, connection, first) => {
      if (first.length > 0) connection.unshift(first);
      resolve({ head, connection });
    });
  // If an upload fails, `clientRequest` reports the error earlier and with more details than `pipeline`.
  if (archive) pipeline(archive, clientRequest).catch(reject);
  else clientRequest.end(payload);
  const answer = await promise;
  const { statusCode: status = 0 } = answer.head;
  if (hijack ? status === 101 : isSuccess(status)) return answer;
  throw new EngineAnswer(status, await text(answer.head));
}

/**
 * Returns the value of the header `X-Registry-Auth`. The value must have base64 padding, because Docker silently
 * ignores credentials without padding.
 */
export function registryAuthHeader(auth: { username: string; password: string }): string {
  return Buffer.from(JSON.stringify(auth)).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}

function isSuccess(status: number): boolean {
  return (status >= 200 && status < 300) || status === 304;
}

/**
 * Returns the query string of a request. Objects become JSON, because the Docker Engine API expects filters as JSON.
 */
function queryOf({ query }: EngineCall): string {
  if (query === undefined) return '';
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    parameters.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return `?${parameters}`;
}

async function readAnswer(answer: IncomingMessage): Promise<unknown> {
  const body = await text(answer);
  if (body === '') return null;
  return answer.headers['content-type']?.startsWith('application/json') ? JSON.parse(body) : body;
}
