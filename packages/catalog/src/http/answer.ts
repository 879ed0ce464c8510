import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Encoding, encodingFor, isWorthPacking, type Packing, pack } from '@davit/service';
import { OPEN } from './failure.ts';

export const MINUTE = 'public, max-age=60';
export const FOR_EVER = 'public, max-age=31536000, immutable';

export interface AnswerOptions {
  type: string;
  caching: string;
  /**
   * Whether the response body already has a compressed format, such as PNG. The server does not compress such a body
   * again.
   */
  packed?: boolean;
  headers?: Record<string, string>;
}

interface Form {
  etag: string;
  bytes: Uint8Array;
  headers: Record<string, string>;
  unchanged: Record<string, string>;
}

/** Approximate memory in bytes that a cached HTTP response uses in addition to its body. */
const OVERHEAD = 2_048;

/**
 * Cached HTTP response. It compresses its body with gzip or Brotli when a client first requests this encoding. The
 * compressed body is cached too.
 */
export class Answer {
  readonly #options: AnswerOptions;
  readonly #hash: string;
  readonly #plain: Form;
  readonly #packed = new Map<Encoding, Form | Promise<Form>>();

  constructor(body: string | Uint8Array, options: AnswerOptions) {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    this.#options = options;
    this.#hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
    this.#plain = this.#form(bytes, 'identity');
  }

  /** Returns the estimated maximum memory in bytes of this cached HTTP response, including its compressed bodies. */
  get size(): number {
    return OVERHEAD + 2 * this.#plain.bytes.length;
  }

  /**
   * Responds to a GET or HEAD request with the content encoding that the client prefers. Responds with status 304 if
   * the client's cached copy is current.
   */
  respond(headers: IncomingHttpHeaders): Response | Promise<Response> {
    const encoding = this.#isPackable ? encodingFor(headers['accept-encoding'] as string | undefined) : 'identity';
    const form = encoding === 'identity' ? this.#plain : this.#formIn(encoding);
    return form instanceof Promise ? form.then((made) => respond(made, headers)) : respond(form, headers);
  }

  get #isPackable(): boolean {
    return !this.#options.packed && isWorthPacking(this.#plain.bytes);
  }

  #formIn(encoding: Packing): Form | Promise<Form> {
    const known = this.#packed.get(encoding);
    if (known) return known;
    const making = pack(this.#plain.bytes, encoding).then((bytes) => {
      const form = this.#form(bytes, encoding);
      this.#packed.set(encoding, form);
      return form;
    });
    this.#packed.set(encoding, making);
    /*
     * If the compression fails, all requests that wait for the compressed body fail. The next request compresses the
     * body again.
     */
    making.catch(() => this.#packed.delete(encoding));
    return making;
  }

  #form(bytes: Uint8Array, encoding: Encoding): Form {
    const { type, caching, packed, headers } = this.#options;
    // A strong ETag identifies exact bytes, so each content encoding has its own ETag.
    const etag = encoding === 'identity' ? `"${this.#hash}"` : `"${this.#hash}-${encoding}"`;
    const unchanged = {
      ...OPEN,
      'Cache-Control': caching,
      ETag: etag,
      ...(!packed && { Vary: 'Accept-Encoding' }),
      ...headers,
    };
    const own = {
      'Content-Type': type,
      'Content-Length': String(bytes.length),
      ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
    };
    return { etag, bytes, headers: { ...unchanged, ...own }, unchanged };
  }
}

function respond({ etag, bytes, headers, unchanged }: Form, { 'if-none-match': known }: IncomingHttpHeaders): Response {
  if (known !== undefined && names(known, etag)) return new Response(null, { status: 304, headers: unchanged });
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
}

/** Returns whether the header `If-None-Match` contains the ETag. A weak form of the ETag also matches. */
function names(known: string, etag: string): boolean {
  if (known.trim() === '*') return true;
  return known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
