/**
 * The HTTP client of the instance's own registry. It speaks to one address alone: no redirect is followed and no realm
 * is asked for a token, whatever the answer names.
 */
import { createHash } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { type RegistryAccess, type RegistryManifest, RegistryUnavailable } from '../registry.ts';
import { INDEX_TYPES, MANIFEST_TYPES, type ManifestParts, parseManifest } from './manifests.ts';
import { demandDigest, demandReference, demandRepository } from './names.ts';

/** What a token is asked for: rights in one repository, or to read the list of them. */
export type RegistryGrant = RegistryAccess | 'catalog';

export interface ClientOptions {
  /** Where the registry listens, `http://127.0.0.1:5000`; null: it has not been started yet. */
  url: () => string | null;
  /** Makes a bearer token. Absent: the registry asks for none. */
  token?: (grant: RegistryGrant) => string | Promise<string>;
  /** Absent: 10 s for a whole answer. */
  timeoutMs?: number;
}

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

interface Ask {
  method: 'GET' | 'HEAD' | 'DELETE';
  path: string;
  grant: RegistryGrant;
  accept?: string;
}

/** By the distribution specification nothing larger need be taken. */
const MANIFEST_BYTES = 4 * 1024 * 1024;
/** 2.8 answers all tags of a repository at once: some hundred thousand of them. */
const LIST_BYTES = 32 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
const PAGE = 1_000;
/** Of one index: as many platforms as there are. */
const MOST_CHILDREN = 64;

const ACCEPT = [...MANIFEST_TYPES, ...INDEX_TYPES].join(', ');

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
    return this.#list({ repository, actions: ['pull'] }, path, 'tags');
  }

  /** The digest that a tag names now; null when there is none. Costs the registry one small file. @throws RegistryUnavailable */
  async digestOf(repository: string, reference: string): Promise<string | null> {
    const answer = await this.#manifest('HEAD', repository, reference);
    return answer && digestIn(answer);
  }

  /** @param reference a tag or a digest @returns null when there is no such manifest @throws RegistryUnavailable */
  async manifest(repository: string, reference: string): Promise<RegistryManifest | null> {
    const found = await this.#manifest('GET', repository, reference);
    if (found === null) return null;
    const parts = partsOf(found);
    const sizes = new Map(parts.blobs);
    for (const child of parts.children.slice(0, MOST_CHILDREN)) {
      const image = await this.#manifest('GET', repository, child);
      // An index may be pushed without the images of some platforms.
      if (image !== null) for (const [digest, bytes] of partsOf(image).blobs) sizes.set(digest, bytes);
    }
    const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    const digest = digestIn(found) ?? `sha256:${createHash('sha256').update(found.body).digest('hex')}`;
    return { digest, mediaType: parts.mediaType, bytes };
  }

  /** Removes a manifest with every tag that points to it; one that is not there is fine. @throws RegistryUnavailable */
  async removeManifest(repository: string, digest: string): Promise<void> {
    const path = `/v2/${demandRepository(repository)}/manifests/${demandDigest(digest)}`;
    const { status } = await this.#ask({ method: 'DELETE', path, grant: { repository, actions: ['delete'] } });
    if (status === 202 || status === 404) return;
    if (status === 405)
      throw new RegistryUnavailable('The registry takes no changes at this moment: try again shortly.');
    throw unexpected(status, path);
  }

  async #manifest(method: 'GET' | 'HEAD', repository: string, reference: string): Promise<Answer | null> {
    const path = `/v2/${demandRepository(repository)}/manifests/${demandReference(reference)}`;
    const answer = await this.#ask({ method, path, grant: { repository, actions: ['pull'] }, accept: ACCEPT });
    if (answer.status === 404) return null;
    if (answer.status !== 200) throw unexpected(answer.status, path);
    return answer;
  }

  /** Reads on after the last name of a page as long as the registry says that there is more; where, is known already. */
  async #list(grant: RegistryGrant, path: string, field: 'repositories' | 'tags'): Promise<string[]> {
    const names = new Set<string>();
    for (let last = ''; ; ) {
      const query = new URLSearchParams({ n: String(PAGE), ...(last !== '' && { last }) });
      const answer = await this.#ask({ method: 'GET', path: `${path}?${query}`, grant });
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

  async #ask(ask: Ask): Promise<Answer> {
    const { url, token, timeoutMs = TIMEOUT_MS } = this.#options;
    const base = url();
    if (base === null) throw new RegistryUnavailable('The registry has not been started yet: try again in a moment.');
    const bearer = await token?.(ask.grant);
    const headers = {
      ...(ask.accept !== undefined && { accept: ask.accept }),
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    };
    const most = ask.accept === undefined ? LIST_BYTES : MANIFEST_BYTES;
    const answer = await exchange(new URL(ask.path, base), { method: ask.method, headers }, most, timeoutMs);
    if (answer.status === 401 || answer.status === 403)
      throw new RegistryUnavailable('The registry does not take the instance’s own token: see GET /api/registry.');
    return answer;
  }
}

/** One request on a connection of its own, as the registry may be another process by the next one. */
function exchange(
  url: URL,
  ask: { method: string; headers: Record<string, string> },
  most: number,
  timeoutMs: number,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const signal = AbortSignal.timeout(timeoutMs);
  const fail = (cause: Error) => {
    const why = signal.aborted ? `nothing within ${timeoutMs / 1_000} s` : cause.message;
    reject(new RegistryUnavailable(`The registry does not answer (${why}): try again shortly.`, { cause }));
  };
  const asked = request(url, { ...ask, signal, agent: false }, (response) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    response.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > most) response.destroy(new Error(`more than ${most} bytes`));
      else parts.push(part);
    });
    response.on('error', fail);
    response.on('end', () => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) });
    });
  });
  asked.on('error', fail);
  asked.end();
  return promise;
}

function partsOf({ body, headers }: Answer): ManifestParts {
  const parts = parseManifest(body.toString(), headers['content-type']);
  if (parts === null) throw new RegistryUnavailable('The registry answered what is no manifest: look at its storage.');
  return parts;
}

function digestIn({ headers }: Answer): string | null {
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

function unexpected(status: number, path: string): RegistryUnavailable {
  return new RegistryUnavailable(`The registry answered ${status} to ${path.split('?')[0]}: try again shortly.`);
}
