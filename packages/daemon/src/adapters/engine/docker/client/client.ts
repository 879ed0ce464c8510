/**
 * The one way to the Engine API. Every call has a deadline or a signal, connections are kept open (a deploy is a dozen
 * short calls), and whatever goes wrong comes out as one of the interface's errors.
 */

import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { EngineRefused } from '../../errors.ts';
import { EngineAnswer, isRefusedIn, Refusal, timedOut, translate } from './errors.ts';

/** The API that this adapter is written against: Docker 20.10, the oldest engine that is still shipped. */
const API = { oldest: '1.41', newestTried: '1.51' };

const CALL_TIMEOUT_MS = 30_000;

/** An engine under load takes its time over containers: what it does is bounded, how long it takes is not. */
export const SLOW_CALL_MS = 120_000;

export interface EngineCall {
  /** What is done, for messages: `create container`. */
  doing: string;
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Without the version, for example `/containers/json`. */
  path: string;
  query?: Record<string, string | number | boolean | object>;
  body?: object;
  /** A tar archive to send instead of a body. */
  archive?: Readable;
  /** Null: no deadline; then there must be a signal. 30 s unless given. */
  timeoutMs?: number | null;
  signal?: AbortSignal | undefined;
  /** For a registry. */
  auth?: { username: string; password: string } | null;
  /**
   * On a connection of its own. An engine that is stopping goes on answering those it has and takes no new ones; what it
   * starts then it forgets and leaves running, and can never start again.
   */
  fresh?: boolean;
}

export interface DockerClient extends AsyncDisposable {
  /** `unix:///var/run/docker.sock` or `tcp://host:port`. */
  readonly address: string;
  /** The decoded answer; null for an empty one. */
  call<T>(call: EngineCall): Promise<T>;
  /** The answer's body as it arrives. The deadline is for its head alone. */
  stream(call: EngineCall): Promise<IncomingMessage>;
  /** The connection itself, for bytes both ways; it is the caller's from then on. The deadline is for the engine's yes. */
  hijack(call: EngineCall): Promise<Duplex>;
}

/** @param dockerHost in the form of DOCKER_HOST; null: the default socket */
export function createDockerClient(dockerHost: string | null): DockerClient {
  const { address, target } = parseDockerHost(dockerHost);
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 16 });
  let version: Promise<string> | null = null;

  /** The API's version is agreed once; an engine that was replaced by another is asked anew. */
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

/** @throws EngineRefused for a form that is not supported */
export function parseDockerHost(dockerHost: string | null): { address: string; target: Target } {
  const address = dockerHost === null || dockerHost === '' ? 'unix:///var/run/docker.sock' : dockerHost;
  const socketPath = /^unix:\/\/(\/.+)$/.exec(address)?.[1];
  if (socketPath !== undefined) return { address, target: { socketPath } };
  const [, host, port] = /^(?:tcp|http):\/\/([^/:]+|\[[0-9a-f:]+\])(?::(\d+))?\/?$/i.exec(address) ?? [];
  if (host !== undefined)
    return { address, target: { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? 2375) } };
  throw new EngineRefused(`DOCKER_HOST is ${address}: give unix:///path/of/docker.sock or tcp://host:port.`);
}

interface Version {
  Version: string;
  ApiVersion: string;
  MinAPIVersion?: string;
}

/** Agrees on the lowest version that both sides know: the one whose behaviour is tested. */
async function negotiate(target: Target, agent: Agent, address: string): Promise<string> {
  const call = { doing: 'ask for the engine version', path: '/version' };
  const { head } = await dial({ target, agent, version: null }, call, AbortSignal.timeout(CALL_TIMEOUT_MS));
  const version = (await readAnswer(head)) as Version;
  if (compare(version.ApiVersion, API.oldest) < 0) {
    throw new EngineRefused(
      `The Docker Engine ${version.Version} at ${address} is too old (API ${version.ApiVersion}): update it to 20.10 or later.`,
    );
  }
  const minimum = version.MinAPIVersion ?? API.oldest;
  if (compare(minimum, API.newestTried) > 0) {
    throw new EngineRefused(
      `The Docker Engine ${version.Version} at ${address} speaks API ${minimum} and later, which this version of Davit does not know: update Davit.`,
    );
  }
  return compare(minimum, API.oldest) > 0 ? minimum : API.oldest;
}

/** `1.41` before `1.100`. */
function compare(a: string, b: string): number {
  const [majorA = 0, minorA = 0] = a.split('.').map(Number);
  const [majorB = 0, minorB = 0] = b.split('.').map(Number);
  return majorA - majorB || minorA - minorB;
}

interface Line {
  target: Target;
  agent: Agent;
  /** Null: not agreed yet. */
  version: string | null;
}

type Sending = EngineCall & { hijack?: boolean };

/** A response once its head is there, and the connection that it came over. */
interface Answer {
  head: IncomingMessage;
  connection: Duplex;
}

/**
 * Sends a call and answers with its response once its head is there.
 * @throws EngineAnswer for a status that is not a success, an error of the connection otherwise
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
  const asked = request({ ...target, agent, method, path, headers, signal }, (head) => {
    resolve({ head, connection: head.socket });
  }).on('error', reject);
  // Node emits no error for an upgrade that nobody listens for, such as one that was not requested.
  asked.on('close', () => reject(new Error('the connection ended without an HTTP response')));
  if (hijack)
    asked.once('upgrade', (head, connection, first) => {
      if (first.length > 0) connection.unshift(first);
      resolve({ head, connection });
    });
  // The request's own error, which says more, comes out of the promise.
  if (archive) pipeline(archive, asked).catch(reject);
  else asked.end(payload);
  const answer = await promise;
  const { statusCode: status = 0 } = answer.head;
  if (hijack ? status === 101 : isSuccess(status)) return answer;
  throw new EngineAnswer(status, await text(answer.head));
}

/** With its padding: an engine takes credentials without it for none, and says nothing. */
export function registryAuthHeader(auth: { username: string; password: string }): string {
  return Buffer.from(JSON.stringify(auth)).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}

function isSuccess(status: number): boolean {
  return (status >= 200 && status < 300) || status === 304;
}

/** What is structured goes as JSON, as the Engine API wants it. */
function queryOf({ query }: EngineCall): string {
  if (query === undefined) return '';
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    parameters.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return `?${parameters}`;
}

/** The decoded body; null for none. */
async function readAnswer(answer: IncomingMessage): Promise<unknown> {
  const body = await text(answer);
  if (body === '') return null;
  return answer.headers['content-type']?.startsWith('application/json') ? JSON.parse(body) : body;
}
