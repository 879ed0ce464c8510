/**
 * The HTTP client of the instance's own registry. It speaks to one address alone: no redirect is followed and no realm
 * is asked for a token, whatever the answer names.
 */
import { createHash } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { responseTo } from '@davit/service';
import { type RegistryAccess, type RegistryManifest, RegistryUnavailable } from '../registry.ts';
import { sumOfSizes } from '../sum-of-sizes.ts';
import { IMAGE_MANIFEST_TYPES, INDEX_TYPES, type ManifestParts, parseManifest } from './manifests.ts';
import { demandDigest, demandReference, demandRepository } from './names.ts';

/** Rights that a token grants: in repositories, or to read the list of repositories. */
export type RegistryGrant = RegistryAccess[] | 'catalog';

export interface ClientOptions {
  /** Where the registry listens, `http://127.0.0.1:5000`; null: it has not been started yet. */
  url: () => string | null;
  /** Makes a bearer token. Absent: the registry asks for none. */
  token?: (grant: RegistryGrant) => string | Promise<string>;
  /** Absent: 10 s for a whole answer. */
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
  /** With its media type. */
  body?: { type: string; bytes: Buffer };
}

/** By the distribution specification nothing larger need be taken. */
const MANIFEST_BYTES = 4 * 1024 * 1024;
/** 2.8 answers all tags of a repository at once: some hundred thousand of them. */
const LIST_BYTES = 32 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
/** Of a download, between two of its parts. */
const IDLE_MS = 60_000;
const PAGE = 1_000;
/** Of one index: as many platforms as there are. */
const MOST_CHILDREN = 64;

const ACCEPT = [...IMAGE_MANIFEST_TYPES, ...INDEX_TYPES].join(', ');

export class RegistryClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Every repository, in order. @throws RegistryUnavailable */
  async repositories(): Promise<string[]> {
    return this.#list('catalog', '/v2/_catalog', 'repositories');
  }

  /** In order; none for a repository that it does not have. @throws RegistryUnavailable */
  async tags(repository: string): Promise<string[]> {
    const path = `/v2/${demandRepository(repository)}/tags/list`;
    return this.#list([{ repository, actions: ['pull'] }], path, 'tags');
  }

  /** The digest that a tag names now; null when there is none. Costs the registry one small file. @throws RegistryUnavailable */
  async digestOf(repository: string, reference: string): Promise<string | null> {
    const answer = await this.stored('HEAD', repository, reference);
    return answer && digestIn(answer);
  }

  /** @param reference a tag or a digest @returns null when there is no such manifest @throws RegistryUnavailable */
  async manifest(repository: string, reference: string): Promise<RegistryManifest | null> {
    const found = await this.stored('GET', repository, reference);
    if (found === null) return null;
    const parts = partsOf(found);
    const sizes = new Map(parts.blobs);
    for (const child of parts.children.slice(0, MOST_CHILDREN)) {
      const image = await this.stored('GET', repository, child);
      // An index may be pushed without the images of some platforms.
      if (image !== null) for (const [digest, bytes] of partsOf(image).blobs) sizes.set(digest, bytes);
    }
    const digest = digestIn(found) ?? `sha256:${createHash('sha256').update(found.body).digest('hex')}`;
    return { digest, mediaType: parts.mediaType, bytes: sumOfSizes(sizes.values()) };
  }

  /** Removes a manifest with every tag that points to it; one that is not there is fine. @throws RegistryUnavailable */
  async removeManifest(repository: string, digest: string): Promise<void> {
    const path = `/v2/${demandRepository(repository)}/manifests/${demandDigest(digest)}`;
    const { status } = await this.ask({ method: 'DELETE', path, grant: [{ repository, actions: ['delete'] }] });
    if (status === 202 || status === 404) return;
    throw unexpected(status, path);
  }

  /** A manifest as it is stored; null when there is none. @throws RegistryUnavailable */
  async stored(method: 'GET' | 'HEAD', repository: string, reference: string): Promise<RegistryAnswer | null> {
    const path = `/v2/${demandRepository(repository)}/manifests/${demandReference(reference)}`;
    const answer = await this.ask({ method, path, grant: [{ repository, actions: ['pull'] }], accept: ACCEPT });
    if (answer.status === 404) return null;
    if (answer.status !== 200) throw unexpected(answer.status, path);
    return answer;
  }

  /**
   * Opens a layer or a configuration. The caller reads it whole, destroys it or aborts the signal.
   * @returns null when the repository does not have it
   * @throws RegistryUnavailable; the signal's reason
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

  /** Reads on after the last name of a page as long as the registry says that there is more; where, is known already. */
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

  /** One request, with a token for it. @throws RegistryUnavailable when the registry does not answer or does not take the token */
  async ask(ask: RegistryRequest): Promise<RegistryAnswer> {
    const { timeoutMs = TIMEOUT_MS } = this.#options;
    const { url, headers: authorization } = await this.#authorize(ask.path, ask.grant);
    const headers = {
      ...(ask.accept !== undefined && { accept: ask.accept }),
      ...authorization,
      ...(ask.body !== undefined && { 'content-type': ask.body.type, 'content-length': String(ask.body.bytes.length) }),
    };
    const most = ask.accept === undefined ? LIST_BYTES : MANIFEST_BYTES;
    const sent = { method: ask.method, headers, body: ask.body?.bytes };
    const answer = await exchange(url, sent, most, timeoutMs);
    if (isRefusal(answer.status)) throw refused();
    return answer;
  }

  async #authorize(path: string, grant: RegistryGrant): Promise<{ url: URL; headers: Record<string, string> }> {
    const { url, token } = this.#options;
    const base = url();
    if (base === null) throw new RegistryUnavailable('The registry has not been started yet: try again in a moment.');
    const bearer = await token?.(grant);
    return { url: new URL(path, base), headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` } };
  }
}

function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}

function refused(): RegistryUnavailable {
  return new RegistryUnavailable('The registry does not take the instance’s own token: see GET /api/registry.');
}

/** Sends a request whose answer is read as it comes. A connection without any traffic for {@link IDLE_MS} is given up. */
function begin(
  url: URL,
  { headers, signal }: { headers: Record<string, string>; signal: AbortSignal },
): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const asked = request(url, { headers, signal, agent: false, timeout: IDLE_MS });
  asked.on('timeout', () => asked.destroy(new Error(`nothing within ${IDLE_MS / 1_000} s`)));
  const answered = responseTo(asked);
  asked.end();
  return answered.catch((cause: Error) => {
    throw signal.aborted ? signal.reason : silent(cause.message, cause);
  });
}

function silent(why: string, cause: Error): RegistryUnavailable {
  return new RegistryUnavailable(`The registry does not answer (${why}): try again shortly.`, { cause });
}

/** One request on a connection of its own, as the registry may be another process by the next one. */
async function exchange(
  url: URL,
  { body, ...ask }: { method: string; headers: Record<string, string>; body: Buffer | undefined },
  most: number,
  timeoutMs: number,
): Promise<RegistryAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const asked = request(url, { ...ask, signal, agent: false });
  try {
    const answered = responseTo(asked);
    asked.end(body);
    const response = await answered;
    return { status: response.statusCode ?? 0, headers: response.headers, body: await readWhole(response, most) };
  } catch (cause) {
    const why = signal.aborted ? `nothing within ${timeoutMs / 1_000} s` : (cause as Error).message;
    throw silent(why, cause as Error);
  }
}

async function readWhole(response: IncomingMessage, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > most) throw new Error(`more than ${most} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function partsOf({ body, headers }: RegistryAnswer): ManifestParts {
  const parts = parseManifest(body.toString(), headers['content-type']);
  if (parts === null) throw new RegistryUnavailable('The registry sent an invalid manifest: check its storage.');
  return parts;
}

function digestIn({ headers }: RegistryAnswer): string | null {
  const named = headers['docker-content-digest'];
  return typeof named === 'string' ? demandDigest(named) : null;
}

function namesIn(body: Buffer, field: string): string[] {
  try {
    const names = (JSON.parse(body.toString()) as Record<string, unknown>)[field] ?? [];
    if (Array.isArray(names)) return names.filter((name): name is string => typeof name === 'string');
  } catch (cause) {
    throw new RegistryUnavailable('The registry answered what is no list: try again shortly.', { cause });
  }
  throw new RegistryUnavailable('The registry answered what is no list: try again shortly.');
}

/** What a status means that no request expects. */
export function unexpected(status: number, path: string): RegistryUnavailable {
  if (status === 405)
    return new RegistryUnavailable('The registry does not accept changes at the moment: try again shortly.');
  const cause = new Error(`answer to ${path.split('?')[0]}`);
  return new RegistryUnavailable(`The registry answered ${status}: try again shortly.`, { cause });
}
