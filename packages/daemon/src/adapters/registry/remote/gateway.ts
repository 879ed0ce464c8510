/**
 * Local registry (gateway) from which Docker pulls images of other registries. With the gateway, Docker never connects
 * to a host that a user chose. The gateway does not store layers.
 */

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { isDigest } from '@davit/api';
import { FewOfEach } from '@davit/service/few-at-once';
import type { RegistryAuth } from '../../engine/image.ts';
import { atMost } from './at-most.ts';
import { type Blob, blobsOf } from './manifest.ts';
import { ManifestTree } from './manifest-tree.ts';
import { noSlower } from './no-slower.ts';
import { RemoteProblem } from './problem.ts';
import type { RemoteRegistry } from './remote-registry.ts';
import { basic } from './token.ts';

const ADDRESS = '127.0.0.1';
/**
 * Maximum number of layers that one project can download at the same time. Docker has only one common limit for all
 * projects.
 */
const LAYERS_AT_ONCE = 3;
const PATH = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/;
const RANGE = /^bytes=\d+-\d*$/;

/**
 * One running pull of an image through the registry gateway. The gateway forwards image data from another registry to
 * Docker.
 */
export interface Session {
  /** Image name for Docker's pull, without tag and digest: `localhost:<port>/<repository>`. */
  name: string;
  auth: RegistryAuth;
  /** Signal that aborts if the pull cannot continue. The abort reason is a `RemoteProblem`. */
  signal: AbortSignal;
  /**
   * Returns the last error of the registry, or `null`. Even after an error, the pull may succeed, because Docker tries
   * again after a temporary error.
   */
  problem: () => RemoteProblem | null;
  tree: ManifestTree;
  /** Digests of the layers and image configurations that Docker has downloaded completely. */
  sent: ReadonlySet<string>;
  [Symbol.dispose](): void;
}

interface OpenSession {
  repository: string;
  registry: RemoteRegistry;
  authorization: Buffer;
  stopped: AbortController;
  problem: RemoteProblem | null;
  tree: ManifestTree;
  sent: Set<string>;
  /**
   * Waits until the project may download one more layer. Each project may download only a few layers at the same time.
   */
  turn: (signal: AbortSignal) => Promise<Disposable>;
}

export interface GatewayPort {
  /**
   * Returns the previous TCP port of the local registry, or `null`. The port must stay the same, because image names in
   * Docker contain the port.
   */
  remembered: () => number | null;
  remember: (port: number) => void;
}

export class Gateway implements AsyncDisposable {
  readonly #port: GatewayPort;
  readonly #sessions = new Set<OpenSession>();
  readonly #downloads = new FewOfEach<number | null>(LAYERS_AT_ONCE);
  #server: Promise<Server> | null = null;

  constructor(port: GatewayPort) {
    this.#port = port;
  }

  /**
   * Starts a session in which Docker can pull one repository with a random password. The caller must dispose the
   * session.
   * @param repository path in the local registry
   */
  async open(
    repository: string,
    registry: RemoteRegistry,
    digest: string,
    project: number | null = null,
  ): Promise<Session> {
    this.#server ??= this.#listen().catch((error: unknown) => {
      this.#server = null;
      throw error;
    });
    const { port } = (await this.#server).address() as AddressInfo;
    const auth = { username: 'pull', password: randomBytes(24).toString('base64url') };
    const session: OpenSession = {
      repository,
      registry,
      authorization: Buffer.from(basic(auth)),
      stopped: new AbortController(),
      problem: null,
      tree: new ManifestTree(registry, digest),
      sent: new Set(),
      turn: (signal) => this.#downloads.turn(project, signal),
    };
    this.#sessions.add(session);
    return {
      name: `localhost:${port}/${repository}`,
      auth,
      signal: session.stopped.signal,
      problem: () => session.problem,
      tree: session.tree,
      sent: session.sent,
      [Symbol.dispose]: () => {
        this.#sessions.delete(session);
        // Aborts Docker's open requests to the daemon, because Docker may keep the requests open after a canceled pull.
        session.stopped.abort(new Error('the pull has ended'));
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { stopped } of this.#sessions) stopped.abort(new Error('the daemon is stopping'));
    const server = await this.#server?.catch(() => null);
    if (!server) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }

  async #listen(): Promise<Server> {
    const remembered = this.#port.remembered();
    const server = (remembered === null ? null : await this.#tryPort(remembered)) ?? (await this.#tryPort(0));
    if (server === null) throw new Error('no port is free on the loopback address');
    const { port } = server.address() as AddressInfo;
    if (port !== remembered) this.#port.remember(port);
    return server;
  }

  async #tryPort(port: number): Promise<Server | null> {
    const server = createServer((request, response) => void this.#answer(request, response));
    // `unref` lets the daemon process exit even while the gateway is listening.
    server.unref();
    const { promise, resolve } = Promise.withResolvers<Server | null>();
    server.once('error', () => resolve(null));
    server.listen({ host: ADDRESS, port, exclusive: true }, () => resolve(server));
    return promise;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume();
    const session = this.#sessionOf(request);
    if (session === null) {
      response.setHeader('www-authenticate', 'Basic realm="davit"');
      return refuse(response, 401, 'UNAUTHORIZED');
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405, 'UNSUPPORTED');
    if (request.url === '/v2/') return void response.writeHead(200, { 'content-length': 0 }).end();
    const [, repository, kind, digest = ''] = PATH.exec(request.url ?? '') ?? [];
    if (repository !== session.repository || !isDigest(digest)) return refuse(response, 404, 'NAME_UNKNOWN');
    try {
      if (kind === 'manifests') await sendManifest(session, digest, request, response);
      else await sendBlob(session, digest, request, response);
    } catch (error) {
      failed(session, error, response);
    }
  }

  #sessionOf({ headers }: IncomingMessage): OpenSession | null {
    const given = Buffer.from(headers.authorization ?? '');
    for (const session of this.#sessions) {
      const { authorization } = session;
      if (given.length === authorization.length && timingSafeEqual(given, authorization)) return session;
    }
    return null;
  }
}

async function sendManifest(
  { tree, stopped }: OpenSession,
  digest: string,
  { method }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { bytes, mediaType } = await tree.readForEngine(digest, stopped.signal);
  const headers = { 'content-type': mediaType, 'docker-content-digest': digest, 'content-length': bytes.length };
  response.writeHead(200, headers).end(method === 'HEAD' ? undefined : bytes);
}

async function sendBlob(
  { registry, tree, stopped, sent, turn }: OpenSession,
  digest: string,
  { method, headers: { range } }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isIt = (blob: Blob) => blob.digest === digest;
  const named = await tree.find((manifest) => blobsOf(manifest).some(isIt), stopped.signal);
  const size = blobsOf(named).find(isIt)?.size ?? 0;
  const gone = new AbortController();
  response.once('close', () => gone.abort(new Error('Docker closed the connection')));
  const signal = AbortSignal.any([stopped.signal, gone.signal]);
  /*
   * Waits until this project may start a download, before the request to the registry is sent. An open request could
   * time out during the wait.
   */
  using _turn = method === 'HEAD' ? null : await turn(signal);
  const answer = await registry.blob(digest, {
    method: method === 'HEAD' ? 'HEAD' : 'GET',
    range: range !== undefined && RANGE.test(range) ? range : undefined,
    signal,
  });
  // Only these headers are copied from the other registry's response to the response for Docker.
  for (const name of ['content-length', 'content-range', 'accept-ranges'] as const) {
    const value = answer.headers[name];
    if (value !== undefined) response.setHeader(name, value);
  }
  response.setHeader('content-type', 'application/octet-stream');
  response.writeHead(answer.statusCode === 206 ? 206 : 200);
  if (method === 'HEAD') {
    answer.destroy();
    response.end();
    return;
  }
  const counted = counter();
  await pipeline(answer, (chunks: AsyncIterable<Buffer>) => noSlower(counted.pass(atMost(size, chunks))), response);
  /*
   * Only complete downloads are recorded, because only a complete download proves that the registry has the whole
   * layer.
   */
  if (range === undefined && counted.bytes() === size) sent.add(digest);
}

/** Returns a generator that forwards the chunks of a download and counts their bytes. */
function counter() {
  let bytes = 0;
  async function* pass(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  return { pass, bytes: () => bytes };
}

/**
 * Saves the error of a gateway request in the session. If the registry is unreachable, the pull continues, because
 * Docker tries again. Any other error ends the pull.
 */
function failed(session: OpenSession, cause: unknown, response: ServerResponse): void {
  const { stopped } = session;
  if (stopped.signal.aborted) return void response.destroy();
  if (cause instanceof RemoteProblem) {
    session.problem = cause;
    if (cause.code !== 'registry_unreachable') stopped.abort(cause);
  } else if (!response.destroyed || response.headersSent) {
    session.problem = new RemoteProblem('registry_unreachable', 'the connection was lost during a download', { cause });
  }
  if (response.headersSent) response.destroy();
  else refuse(response, 503, 'UNAVAILABLE');
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const body = JSON.stringify({ errors: [{ code, message: code.toLowerCase() }] });
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
