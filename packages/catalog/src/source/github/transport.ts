import { setTimeout as delay } from 'node:timers/promises';
import { Deadline } from '../deadline.ts';
import type { GitHubHosts } from './hosts.ts';
import type { Pace, Resource } from './pace.ts';
import { isRateLimitMessage } from './problem-words.ts';

export interface TransportOptions {
  hosts: GitHubHosts;
  pace: Pace;
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  /** Maximum wait before a request to GitHub, in seconds. A request that needs a longer wait is rejected. */
  longestWaitS: number;
}

/**
 * Reason why the GitHub client did not send a request or rejected its response. In these cases, Octokit must not repeat
 * the request.
 */
export type Refusal = { kind: 'too-soon'; waitS: number } | { kind: 'too-large' } | { kind: 'redirect'; to: string };

export interface Call {
  resource: Resource;
  /** Maximum size of a file in bytes. For JSON responses, the limit is `MAX_DOCUMENT_BYTES`. */
  maxBytes: number;
  /**
   * GitHub's numeric id of the requested Git repository. A redirect must lead to this repository. If `null`, the GitHub
   * client follows no redirects.
   */
  repository: number | null;
  refusal: Refusal | null;
}

const MOST_REDIRECTS = 3;
const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;
/** Maximum number of bytes that are read from an error response. GitHub's error messages are shorter. */
const MAX_ERROR_BYTES = 64 * 1024;

/**
 * Returns a `fetch` function for Octokit, with rate limits, size limits and a timeout. The function reads complete
 * responses, so that Octokit can repeat the request after an incomplete response.
 */
export function fetchFor(call: Call, options: TransportOptions): typeof globalThis.fetch {
  return async (input, init = {}) => {
    call.refusal = null;
    const waitS = options.pace.waitS(call.resource);
    if (waitS > options.longestWaitS) return refuse(call, { kind: 'too-soon', waitS });
    await delay(options.pace.waitMs(call.resource), undefined, init.signal ? { signal: init.signal } : {});
    using deadline = new Deadline(options.timeoutMs, init.signal);
    try {
      const response = await follow(new URL(String(input)), { ...init, signal: deadline.signal }, call, options);
      return await whole(response, call, options.pace);
    } catch (error) {
      if (!init.signal?.aborted) options.pace.noteFailure();
      throw error;
    }
  };
}

/**
 * Sends a request to GitHub. Follows redirects after a rename or a transfer, but only to a Git repository with the same
 * id.
 */
async function follow(first: URL, init: RequestInit, call: Call, options: TransportOptions): Promise<Response> {
  let url = first;
  for (let hops = 0; ; hops += 1) {
    if (!options.hosts.allows(url)) return refuse(call, { kind: 'redirect', to: url.origin });
    const headers = new Headers(init.headers);
    if (url.origin !== first.origin) headers.delete('authorization');
    const response = await options.fetch(url, { ...init, headers, redirect: 'manual' });
    options.pace.note(call.resource, response.status, response.headers);
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || response.status === 304) return response;
    await response.body?.cancel();
    const next = location === null ? null : URL.parse(location, url);
    if (next === null || hops === MOST_REDIRECTS || !leadsTo(next, call.repository)) {
      return refuse(call, { kind: 'redirect', to: next?.origin ?? 'nowhere' });
    }
    url = next;
  }
}

/**
 * Returns whether a redirect leads to the same Git repository. The function compares ids, because the old name may now
 * belong to another repository.
 */
function leadsTo(url: URL, repository: number | null): boolean {
  const id = /\/repositories\/(\d+)(?:\/|$)/.exec(url.pathname)?.[1];
  return repository !== null && (id === undefined || Number(id) === repository);
}

async function whole(response: Response, call: Call, pace: Pace): Promise<Response> {
  const { status, headers } = response;
  const failed = status >= 400;
  const most = /^application\/json\b/i.test(headers.get('content-type') ?? '') ? MAX_DOCUMENT_BYTES : call.maxBytes;
  const { bytes, cut } = await readAtMost(response, failed ? MAX_ERROR_BYTES : most);
  if (cut && !failed) return refuse(call, { kind: 'too-large' });
  if (failed && isRateLimitMessage(bytes.toString(), 'answer')) pace.noteLimit(call.resource);
  const empty = status === 204 || status === 205 || status === 304;
  return new Response(empty ? null : bytes, { status, headers });
}

interface Read {
  /** Whether the response body was longer than the limit. */
  cut: boolean;
  bytes: Buffer<ArrayBuffer>;
}

/** Reads the body of an HTTP response. Stops when the body exceeds the size limit. */
async function readAtMost({ body }: Response, maxBytes: number): Promise<Read> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let cut = false;
  for await (const piece of body ?? []) {
    size += piece.length;
    cut = size > maxBytes;
    pieces.push(cut ? piece.subarray(0, piece.length - (size - maxBytes)) : piece);
    if (cut) break;
  }
  return { cut, bytes: Buffer.concat(pieces) };
}

/**
 * Records why the GitHub client did not send a request or rejected a response. Returns a response with status 400,
 * because Octokit does not repeat requests after this status.
 */
function refuse(call: Call, refusal: Refusal): Response {
  call.refusal = refusal;
  return new Response(null, { status: 400 });
}
