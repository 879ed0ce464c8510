/**
 * The one way to the Engine API. Every call has a deadline or a signal, connections are kept open (a deploy is a dozen
 * short calls), and whatever goes wrong comes out as one of the interface's errors.
 */

import type { IncomingMessage } from 'node:http';
import { Agent } from 'node:http';
import { inspect } from 'node:util';
import type Docker from 'dockerode';
import type { DockerOptions } from 'dockerode';
import { EngineRefused } from '../engine.ts';
import { Refusal, timedOut, translate } from './errors.ts';

/** The API that this adapter is written against: Docker 20.10, the oldest engine that is still shipped. */
const API = { oldest: '1.41', newestTried: '1.51' };

const CALL_TIMEOUT_MS = 30_000;

export interface Call {
  /** What is done, for messages: `create container`. */
  doing: string;
  method?: 'GET' | 'POST' | 'DELETE';
  /** Without the version, for example `/containers/json`. */
  path: string;
  query?: Record<string, string | number | boolean | object>;
  body?: object;
  /** Null: no deadline; then there must be a signal. 30 s unless given. */
  timeoutMs?: number | null;
  signal?: AbortSignal | undefined;
  /** For a registry. */
  auth?: { username: string; password: string } | null;
}

export interface DockerClient extends AsyncDisposable {
  /** `unix:///var/run/docker.sock` or `tcp://host:port`. */
  readonly address: string;
  /** For what is built with dockerode itself; its calls have no deadline of ours. */
  docker(): Promise<Docker>;
  /** The decoded answer; null for an empty one. */
  call<T>(call: Call): Promise<T>;
  /** The answer's body as it arrives. The deadline is for its head alone. */
  stream(call: Call): Promise<IncomingMessage>;
}

/** @param dockerHost in the form of DOCKER_HOST; null: the default socket */
export function createDockerClient(dockerHost: string | null): DockerClient {
  const { address, options } = parseDockerHost(dockerHost);
  const agent = new QuietAgent({ keepAlive: true, maxFreeSockets: 16 });
  let connection: Promise<Docker> | null = null;

  /** The API's version is agreed once; an engine that was replaced by another is asked anew. */
  function connect(): Promise<Docker> {
    connection ??= negotiate(options, agent, address).catch((error: unknown) => {
      connection = null;
      throw error;
    });
    return connection;
  }

  async function request<T>(call: Call, isStream: boolean): Promise<T> {
    const timeoutMs = call.timeoutMs === undefined ? CALL_TIMEOUT_MS : call.timeoutMs;
    const deadline = new AbortController();
    const timer = timeoutMs === null ? undefined : setTimeout(() => deadline.abort(), timeoutMs);
    const signal = call.signal === undefined ? deadline.signal : AbortSignal.any([call.signal, deadline.signal]);
    try {
      call.signal?.throwIfAborted();
      const docker = await connect();
      return (await dial(docker, call, isStream, signal)) as T;
    } catch (cause) {
      if (call.signal?.aborted) throw call.signal.reason;
      if (deadline.signal.aborted) throw timedOut(call.doing, address, timeoutMs ?? 0);
      const error = translate(cause, call.doing, address);
      if (!(error instanceof Refusal) || /client version .* is too (old|new)/i.test(error.message)) connection = null;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    address,
    docker: connect,
    call: (call) => request(call, false),
    stream: (call) => request(call, true),
    [Symbol.asyncDispose]: async () => agent.destroy(),
  };
}

/** dockerode inspects all options of a call, to any depth, even when nobody reads that: with the sockets, milliseconds. */
class QuietAgent extends Agent {
  [inspect.custom](): string {
    return 'Agent';
  }
}

type Connection = Pick<DockerOptions, 'socketPath' | 'host' | 'port' | 'protocol'>;

/** @throws EngineRefused for a form that is not supported */
function parseDockerHost(dockerHost: string | null): { address: string; options: Connection } {
  const address = dockerHost === null || dockerHost === '' ? 'unix:///var/run/docker.sock' : dockerHost;
  const socketPath = /^unix:\/\/(\/.+)$/.exec(address)?.[1];
  if (socketPath !== undefined) {
    // Said, or dockerode would take the host from the environment.
    return { address, options: { socketPath, host: undefined } };
  }
  const [, host, port] = /^(?:tcp|http):\/\/([^/:]+|\[[0-9a-f:]+\])(?::(\d+))?\/?$/i.exec(address) ?? [];
  if (host !== undefined) return { address, options: { host, port: Number(port ?? 2375), protocol: 'http' } };
  throw new EngineRefused(`DOCKER_HOST is ${address}: give unix:///path/of/docker.sock or tcp://host:port.`);
}

interface Version {
  Version: string;
  ApiVersion: string;
  MinAPIVersion?: string;
}

/** Agrees on the lowest version that both sides know: the one whose behaviour is tested. */
async function negotiate(options: Connection, agent: Agent, address: string): Promise<Docker> {
  // Loading it takes a tenth of a second and 20 MiB: only who has a Docker Engine pays.
  const { default: Dockerode } = await import('dockerode');
  const withAgent: DockerOptions & { agent: Agent } = { ...options, agent };
  const asking = new Dockerode(withAgent);
  const call = { doing: 'ask for the engine version', path: '/version' };
  const version = (await dial(asking, call, false, AbortSignal.timeout(CALL_TIMEOUT_MS))) as Version;
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
  const agreed = compare(minimum, API.oldest) > 0 ? minimum : API.oldest;
  const agreedOptions: DockerOptions = { ...withAgent, version: `v${agreed}` };
  return new Dockerode(agreedOptions);
}

/** `1.41` before `1.100`. */
function compare(a: string, b: string): number {
  const [majorA = 0, minorA = 0] = a.split('.').map(Number);
  const [majorB = 0, minorB = 0] = b.split('.').map(Number);
  return majorA - majorB || minorA - minorB;
}

const SUCCESS = { 200: true, 201: true, 202: true, 204: true, 304: true };

function dial(docker: Docker, call: Call, isStream: boolean, abortSignal: AbortSignal): Promise<unknown> {
  const { method = 'GET', path, query, body, auth } = call;
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  docker.modem.dial(
    {
      path: query === undefined ? path : `${path}?`,
      method,
      options: { _query: query ?? {}, _body: body ?? {} },
      isStream,
      statusCodes: SUCCESS,
      abortSignal,
      ...(auth ? { authconfig: auth } : {}),
    },
    (error: Error | null, result: unknown) => {
      if (error) reject(error);
      else resolve(Buffer.isBuffer(result) && result.length === 0 ? null : result);
    },
  );
  return promise;
}
