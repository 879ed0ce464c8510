/** A registry on loopback, with or without TLS, that answers as a test defines and records its requests. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { MadeCertificate } from './make-certificate.ts';

export const IMAGE_TYPE = 'application/vnd.docker.distribution.manifest.v2+json';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export class FakeRegistry implements AsyncDisposable {
  readonly port: number;
  /** Method, path and authorization of each request. */
  readonly requests: { method: string; path: string; authorization: string | undefined }[] = [];
  /** Handler that runs before all other responses. The handler returns whether it has answered. */
  handler: ((request: IncomingMessage, response: ServerResponse) => boolean) | null = null;
  readonly #answers = new Map<string, { body: Buffer; type: string }>();
  #newest: Socket | null = null;
  readonly #close: () => Promise<void>;

  private constructor(port: number, close: () => Promise<void>) {
    this.port = port;
    this.#close = close;
  }

  static async start(
    certificate: MadeCertificate | null = null,
    at = { address: '127.0.0.1', port: 0 },
  ): Promise<FakeRegistry> {
    let registry: FakeRegistry | null = null;
    const listener: RequestListener = (request, response) => registry?.answer(request, response);
    const server =
      certificate === null
        ? createServer(listener)
        : createTlsServer({ cert: certificate.certificate, key: certificate.key }, listener);
    server.on('connection', (socket: Socket) => {
      if (registry) registry.#newest = socket;
    });
    server.listen(at.port, at.address);
    await once(server, 'listening');
    registry = new FakeRegistry((server.address() as AddressInfo).port, async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    return registry;
  }

  get host(): string {
    return `localhost:${this.port}`;
  }

  /**
   * Adds an image with one layer.
   * @returns digests of the manifest and the layer
   */
  add(repository: string, tag: string, content: string, manifest: object = {}): { digest: string; layer: string } {
    const [layer, config] = [Buffer.from(content), Buffer.from('{}')];
    const body = Buffer.from(
      JSON.stringify({
        schemaVersion: 2,
        mediaType: IMAGE_TYPE,
        config: { mediaType: 'application/vnd.docker.container.image.v1+json', size: 2, digest: sha256(config) },
        layers: [
          {
            mediaType: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
            size: layer.length,
            digest: sha256(layer),
          },
        ],
        ...manifest,
      }),
    );
    for (const reference of [tag, sha256(body)]) this.put(`${repository}/manifests/${reference}`, body, IMAGE_TYPE);
    for (const blob of [layer, config])
      this.put(`${repository}/blobs/${sha256(blob)}`, blob, 'application/octet-stream');
    return { digest: sha256(body), layer: sha256(layer) };
  }

  /**
   * Adds a manifest or a blob.
   * @param path path under `/v2/`
   */
  put(path: string, body: Buffer, type: string): void {
    this.#answers.set(`/v2/${path}`, { body, type });
  }

  /** Resets the newest connection at once, without closing TLS. */
  reset(): void {
    this.#newest?.resetAndDestroy();
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url: path = '', headers } = request;
    this.requests.push({ method, path, authorization: headers.authorization });
    if (this.handler?.(request, response)) return;
    const found = path === '/v2/' ? { body: Buffer.from('{}'), type: 'application/json' } : this.#answers.get(path);
    if (found === undefined) return void response.writeHead(404).end('SECRET-TEXT-OF-THE-REGISTRY');
    response.setHeader('content-type', found.type);
    if (path.includes('/manifests/')) response.setHeader('docker-content-digest', sha256(found.body));
    response.writeHead(200, { 'content-length': found.body.length }).end(method === 'HEAD' ? undefined : found.body);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}

export function sha256(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
