/**
 * HTTP client for the Davit instance's own registry. For security, the client connects only to one address, follows no
 * redirects, and ignores token URLs in responses.
 */
import { createHash } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { responseTo } from '@davit/service';
import {
  type ClientTags,
  type RegistryAccess,
  type RegistryManifest,
  type RegistryRefusal,
  RegistryUnavailable,
} from '../registry.ts';
import { sumOfSizes } from '../sum-of-sizes.ts';
import { IMAGE_MANIFEST_TYPES, INDEX_TYPES, type ManifestParts, parseManifest } from './manifests.ts';
import { demandDigest, demandReference, demandRepository } from './names.ts';

/**
 * Permissions of a registry token. The value is a list of actions per repository, or `catalog` to list all
 * repositories.
 */
export type RegistryGrant = RegistryAccess[] | 'catalog';

export interface ClientOptions {
  /**
   * Returns the base URL of the registry, for example `http://127.0.0.2:5000`. Returns `null` before the registry's
   * first start.
   */
  url: () => string | null;
  /**
   * Function that creates a bearer token for a request to the registry. If the function is missing, requests have no
   * token.
   */
  token?: (grant: RegistryGrant) => string | Promise<string>;
  /** Timeout in milliseconds for a complete response. Default: 10 seconds. */
  timeoutMs?: number;
}

export interface RegistryAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export interface RegistryRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  grant: RegistryGrant;
  accept?: string;
  body?: { type: string; bytes: Buffer };
}

/**
 * Maximum size of an image manifest in bytes. The distribution specification requires registries to support this size.
 */
const MANIFEST_BYTES = 4 * 1024 * 1024;
/**
 * Maximum response size in bytes for a list. Distribution 2.8 returns all tags in one response, and there can be
 * several hundred thousand tags.
 */
const LIST_BYTES = 32 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
/** Maximum pause in milliseconds between data of a download. After a longer pause, the download is aborted. */
const IDLE_MS = 60_000;
const PAGE = 1_000;
/**
 * Maximum number of images that Davit reads from one image index. An image index normally contains one image per
 * platform, which is far fewer.
 */
const MOST_CHILDREN = 64;

const ACCEPT = [...IMAGE_MANIFEST_TYPES, ...INDEX_TYPES].join(', ');

export class RegistryClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * Returns the names of all repositories, sorted.
   * @throws RegistryUnavailable
   */
  async repositories(): Promise<string[]> {
    return this.#list('catalog', '/v2/_catalog', 'repositories');
  }

  /**
   * Returns the tags of a repository, sorted. For an unknown repository, the list is empty.
   * @throws RegistryUnavailable
   */
  async tags(repository: string): Promise<string[]> {
    const path = `/v2/${demandRepository(repository)}/tags/list`;
    return this.#list([{ repository, actions: ['pull'] }], path, 'tags');
  }

  /**
   * Requests the tags of a repository with a client's `Authorization` header instead of the daemon's own token. The
   * registry then checks the permissions of the client.
   * @throws RegistryUnavailable
   */
  async tagsFor(repository: string, authorization: string | undefined): Promise<ClientTags> {
    const { timeoutMs = TIMEOUT_MS } = this.#options;
    const url = this.#urlOf(`/v2/${demandRepository(repository)}/tags/list`);
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const answer = await exchange(url, { method: 'GET', headers, body: undefined }, LIST_BYTES, timeoutMs);
    return answer.status === 200 ? { tags: namesIn(answer.body, 'tags') } : { refusal: refusalIn(answer) };
  }

  /**
   * Returns the digest to which a tag points, or `null` if the tag does not exist. The method sends only a `HEAD`
   * request.
   * @throws RegistryUnavailable
   */
  async digestOf(repository: string, reference: string): Promise<string | null> {
    const answer = await this.stored('HEAD', repository, reference);
    return answer && digestIn(answer);
  }

  /**
   * Reads a manifest and returns its total size. For an image, the total size includes the configuration and all
   * layers. For an image index, the total size includes all images, also the images in nested indexes.
   * @returns `null` if the manifest does not exist
   * @throws RegistryUnavailable
   */
  async manifest(repository: string, reference: string): Promise<RegistryManifest | null> {
    const found = await this.stored('GET', repository, reference);
    if (found === null) return null;
    const parts = partsOf(found);
    const sizes = new Map(parts.blobs);
    /*
     * The loop also visits digests that are added during the loop. Image indexes can be nested and can contain the same
     * manifest twice.
     */
    const children = new Set(parts.children.slice(0, MOST_CHILDREN));
    for (const child of children) {
      const image = await this.stored('GET', repository, child);
      // Skips missing images, because users can push an image index without the images of some platforms.
      if (image === null) continue;
      const { blobs, children: inner } = partsOf(image);
      for (const [digest, bytes] of blobs) sizes.set(digest, bytes);
      for (const digest of inner) if (children.size < MOST_CHILDREN) children.add(digest);
    }
    const digest = digestIn(found) ?? `sha256:${createHash('sha256').update(found.body).digest('hex')}`;
    return { digest, mediaType: parts.mediaType, bytes: sumOfSizes(sizes.values()) };
  }

  /**
   * Deletes a manifest and all tags that point to it. The call also succeeds if the repository does not have the
   * manifest.
   * @throws RegistryUnavailable
   */
  async removeManifest(repository: string, digest: string): Promise<void> {
    const path = `/v2/${demandRepository(repository)}/manifests/${demandDigest(digest)}`;
    const { status } = await this.ask({ method: 'DELETE', path, grant: [{ repository, actions: ['delete'] }] });
    if (status === 202 || status === 404) return;
    throw unexpected(status, path);
  }

  /**
   * Sends a `GET` or `HEAD` request for an image manifest. Returns the response, or `null` if the manifest does not
   * exist.
   * @throws RegistryUnavailable
   */
  async stored(method: 'GET' | 'HEAD', repository: string, reference: string): Promise<RegistryAnswer | null> {
    const path = `/v2/${demandRepository(repository)}/manifests/${demandReference(reference)}`;
    const answer = await this.ask({ method, path, grant: [{ repository, actions: ['pull'] }], accept: ACCEPT });
    if (answer.status === 404) return null;
    if (answer.status !== 200) throw unexpected(answer.status, path);
    return answer;
  }

  /**
   * Starts the download of a blob. Returns `null` if the blob does not exist. The caller must read or destroy the
   * stream, or abort the signal.
   * @throws RegistryUnavailable, or the abort reason
   */
  async openBlob(repository: string, digest: string, signal: AbortSignal): Promise<IncomingMessage | null> {
    const path = `/v2/${demandRepository(repository)}/blobs/${demandDigest(digest)}`;
    const { url, headers } = await this.#authorize(path, [{ repository, actions: ['pull'] }]);
    const answer = await begin(url, { headers, signal });
    const { statusCode: status = 0 } = answer;
    if (status === 200) return answer;
    answer.destroy();
    if (status === 404) return null;
    throw isRefusal(status) ? refused() : unexpected(status, path);
  }

  /**
   * Reads all pages of a list. The URL in the `Link` header is not trusted. The next request therefore asks for the
   * entries after the last received name.
   */
  async #list(grant: RegistryGrant, path: string, field: 'repositories' | 'tags'): Promise<string[]> {
    const names = new Set<string>();
    for (let last = ''; ; ) {
      const query = new URLSearchParams({ n: String(PAGE), ...(last !== '' && { last }) });
      const answer = await this.ask({ method: 'GET', path: `${path}?${query}`, grant });
      if (answer.status === 404) break;
      if (answer.status !== 200) throw unexpected(answer.status, path);
      const page = namesIn(answer.body, field);
      const known = names.size;
      for (const name of page) names.add(name);
      last = page.at(-1) ?? '';
      if (answer.headers.link === undefined || names.size === known) break;
    }
    return [...names].sort();
  }

  /**
   * Sends one request with a bearer token to the registry.
   * @throws RegistryUnavailable if the registry does not respond or rejects the token
   */
  async ask(registryRequest: RegistryRequest): Promise<RegistryAnswer> {
    const { timeoutMs = TIMEOUT_MS } = this.#options;
    const { url, headers: authorization } = await this.#authorize(registryRequest.path, registryRequest.grant);
    const headers = {
      ...(registryRequest.accept !== undefined && { accept: registryRequest.accept }),
      ...authorization,
      ...(registryRequest.body !== undefined && {
        'content-type': registryRequest.body.type,
        'content-length': String(registryRequest.body.bytes.length),
      }),
    };
    const most = registryRequest.accept === undefined ? LIST_BYTES : MANIFEST_BYTES;
    const sent = { method: registryRequest.method, headers, body: registryRequest.body?.bytes };
    const answer = await exchange(url, sent, most, timeoutMs);
    if (isRefusal(answer.status)) throw refused();
    return answer;
  }

  async #authorize(path: string, grant: RegistryGrant): Promise<{ url: URL; headers: Record<string, string> }> {
    const url = this.#urlOf(path);
    const bearer = await this.#options.token?.(grant);
    return { url, headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` } };
  }

  #urlOf(path: string): URL {
    const base = this.#options.url();
    if (base === null) throw new RegistryUnavailable('The registry has not started yet. Try again in a moment.');
    return new URL(path, base);
  }
}

function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}

function refused(): RegistryUnavailable {
  return new RegistryUnavailable(
    'The registry rejects the access token that Davit sends. GET /api/registry shows the reason.',
  );
}

/**
 * Sends a `GET` request and returns the response as a stream. If no data arrives for 60 seconds, the connection is
 * closed.
 */
function begin(
  url: URL,
  { headers, signal }: { headers: Record<string, string>; signal: AbortSignal },
): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const clientRequest = request(url, { headers, signal, agent: false, timeout: IDLE_MS });
  clientRequest.on('timeout', () => clientRequest.destroy(new Error(`no data within ${IDLE_MS / 1_000} s`)));
  const answered = responseTo(clientRequest);
  clientRequest.end();
  return answered.catch((cause: Error) => {
    throw signal.aborted ? signal.reason : silent(cause.message, cause);
  });
}

function silent(why: string, cause: Error): RegistryUnavailable {
  return new RegistryUnavailable(`The registry does not respond (${why}). Try again later.`, { cause });
}

/**
 * Sends one request on a new connection. A reused connection could belong to a registry process that has been replaced.
 */
async function exchange(
  url: URL,
  { body, ...options }: { method: string; headers: Record<string, string>; body: Buffer | undefined },
  most: number,
  timeoutMs: number,
): Promise<RegistryAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const clientRequest = request(url, { ...options, signal, agent: false });
  try {
    const answered = responseTo(clientRequest);
    clientRequest.end(body);
    const response = await answered;
    return { status: response.statusCode ?? 0, headers: response.headers, body: await readWhole(response, most) };
  } catch (cause) {
    const why = signal.aborted ? `no response within ${timeoutMs / 1_000} s` : (cause as Error).message;
    throw silent(why, cause as Error);
  }
}

async function readWhole(response: IncomingMessage, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > most) throw new Error(`its response has more than ${most} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function partsOf({ body, headers }: RegistryAnswer): ManifestParts {
  const parts = parseManifest(body.toString(), headers['content-type']);
  if (parts === null)
    throw new RegistryUnavailable('The registry sent an invalid manifest. Check the storage of the registry.');
  return parts;
}

function digestIn({ headers }: RegistryAnswer): string | null {
  const named = headers['docker-content-digest'];
  return typeof named === 'string' ? demandDigest(named) : null;
}

function refusalIn({ status, headers, body }: RegistryAnswer): RegistryRefusal {
  return { status, challenge: headers['www-authenticate'] ?? null, body: errorsIn(body) };
}

/**
 * Returns a response body if it has the error format of the registry protocol. Returns `null` for any other response
 * body.
 */
function errorsIn(body: Buffer): object | null {
  try {
    const parsed: unknown = JSON.parse(body.toString());
    return parsed !== null && typeof parsed === 'object' && 'errors' in parsed ? parsed : null;
  } catch {
    // The registry responds to some invalid requests with plain text instead of JSON.
    return null;
  }
}

function namesIn(body: Buffer, field: string): string[] {
  try {
    const names = (JSON.parse(body.toString()) as Record<string, unknown>)[field] ?? [];
    if (Array.isArray(names)) return names.filter((name): name is string => typeof name === 'string');
  } catch (cause) {
    throw new RegistryUnavailable(
      'The registry did not return a valid list of repositories or tags. Try again later.',
      { cause },
    );
  }
  throw new RegistryUnavailable('The registry did not return a valid list of repositories or tags. Try again later.');
}

/** Returns the error for an unexpected HTTP status of the registry. */
export function unexpected(status: number, path: string): RegistryUnavailable {
  if (status === 405)
    return new RegistryUnavailable('The registry does not accept changes at the moment. Try again later.');
  const cause = new Error(`unexpected response to ${path.split('?')[0]}`);
  return new RegistryUnavailable(`The registry responded with status ${status}. Try again later.`, { cause });
}
