/**
 * A low-level client for the registry protocol. The client sends requests that no correct client sends, and pushes
 * images without an engine.
 */
import { createHash } from 'node:crypto';

export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
}

export interface RawRequest {
  method?: string;
  path: string;
  /** Token of the request, or null for none. */
  token?: string | null;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

interface Manifest {
  config: { digest: string; size: number; mediaType: string };
}

const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json';

/** One user of one registry. */
export class RawRegistry {
  readonly #base: string;
  readonly #api: string;
  readonly #authorization: string;

  /** @param at URLs of the registry and the API, such as `http://127.0.0.1:5000` */
  constructor(at: { registry: string; api: string }, username: string, password: string) {
    this.#base = at.registry;
    this.#api = at.api;
    this.#authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  }

  /**
   * Requests a token.
   * @throws Error if the response contains no token
   */
  async token(...scopes: string[]): Promise<string> {
    const query = scopes.map((scope) => `&scope=${scope}`).join('');
    const answer = await fetch(`${this.#api}/v2/token?service=davit${query}`, {
      headers: { authorization: this.#authorization },
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`no token for ${scopes.join(' ')}: ${answer.status} ${text}`);
    return (JSON.parse(text) as { token: string }).token;
  }

  async ask({ method = 'GET', path, token = null, headers = {}, body }: RawRequest): Promise<RawAnswer> {
    const answer = await fetch(new URL(path, this.#base), {
      method,
      headers: { ...headers, ...(token !== null && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  /** Returns a manifest by tag or digest without changes. */
  async manifest(repository: string, reference: string, token: string): Promise<RawAnswer> {
    return this.ask({ path: `/v2/${repository}/manifests/${reference}`, token, headers: { accept: MANIFEST } });
  }

  async putBlob(repository: string, bytes: Buffer, token: string): Promise<string> {
    const begun = await this.ask({ method: 'POST', path: `/v2/${repository}/blobs/uploads/`, token });
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    const location = begun.headers.get('location') ?? '';
    const path = `${location}${location.includes('?') ? '&' : '?'}digest=${digest}`;
    const headers = { 'content-type': 'application/octet-stream' };
    expectStatus(await this.ask({ method: 'PUT', path, token, headers, body: bytes }), 201, 'put blob');
    return digest;
  }

  /**
   * Pushes a manifest with a tag. Its blobs must exist.
   * @param manifest with the field `mediaType`
   */
  async putManifest(repository: string, tag: string, manifest: { mediaType: string }, token: string): Promise<void> {
    const path = `/v2/${repository}/manifests/${tag}`;
    const headers = { 'content-type': manifest.mediaType };
    const body = JSON.stringify(manifest);
    expectStatus(await this.ask({ method: 'PUT', path, token, headers, body }), 201, `push ${tag}`);
  }

  /**
   * Uploads the blobs of an image that differs from an existing image only in a label.
   * @returns the digest of the image, and a function that pushes its manifest with a tag
   */
  async variation(repository: string, from: string, label: string, token: string) {
    const found = await this.manifest(repository, from, token);
    expectStatus(found, 200, `read ${from}`);
    const manifest = JSON.parse(found.text) as Manifest;
    const blob = await this.ask({ path: `/v2/${repository}/blobs/${manifest.config.digest}`, token });
    const image = JSON.parse(blob.text) as { config: { Labels?: Record<string, string> } };
    image.config.Labels = { ...image.config.Labels, variation: label };
    const config = Buffer.from(JSON.stringify(image));
    manifest.config = {
      ...manifest.config,
      size: config.length,
      digest: await this.putBlob(repository, config, token),
    };
    const body = JSON.stringify(manifest);
    return {
      digest: `sha256:${createHash('sha256').update(body).digest('hex')}`,
      push: async (tag: string): Promise<void> => {
        const path = `/v2/${repository}/manifests/${tag}`;
        const headers = { 'content-type': MANIFEST };
        expectStatus(await this.ask({ method: 'PUT', path, token, headers, body }), 201, `push ${tag}`);
      },
    };
  }
}

function expectStatus({ status, text }: RawAnswer, wanted: number, doing: string): void {
  if (status !== wanted) throw new Error(`${doing}: ${status} ${text}`);
}
