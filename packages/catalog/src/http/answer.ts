import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Encoding, encodingFor, pack } from './encoding.ts';
import { OPEN } from './failure.ts';

export const MINUTE = 'public, max-age=60';
export const FOR_EVER = 'public, max-age=31536000, immutable';

export interface AnswerOptions {
  type: string;
  caching: string;
  /** Whether the response body is already compressed, such as an image. It is then sent without a content encoding. */
  packed?: boolean;
  headers?: Record<string, string>;
}

interface Form {
  etag: string;
  bytes: Uint8Array;
  headers: Record<string, string>;
  unchanged: Record<string, string>;
}

/** Minimum size in bytes of response bodies that are compressed. Smaller bodies do not shrink. */
const WORTH_PACKING = 256;
/** Approximate memory in bytes of a cached response, without its body. */
const OVERHEAD = 2_048;

/** Cached HTTP response. The gzip and Brotli forms of the body are created on first use and kept. */
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

  /** Returns an upper estimate of the memory in bytes that the cached response uses with its compressed forms. */
  get size(): number {
    return OVERHEAD + 2 * this.#plain.bytes.length;
  }

  /**
   * Answers a GET or HEAD request with the encoding that the client prefers. Answers 304 if the client has the current
   * version.
   */
  respond(headers: IncomingHttpHeaders): Response | Promise<Response> {
    const encoding = this.#isPackable ? encodingFor(headers['accept-encoding'] as string | undefined) : 'identity';
    const form = encoding === 'identity' ? this.#plain : this.#formIn(encoding);
    return form instanceof Promise ? form.then((made) => respond(made, headers)) : respond(form, headers);
  }

  get #isPackable(): boolean {
    return !this.#options.packed && this.#plain.bytes.length >= WORTH_PACKING;
  }

  #formIn(encoding: Exclude<Encoding, 'identity'>): Form | Promise<Form> {
    const known = this.#packed.get(encoding);
    if (known) return known;
    const making = pack(this.#plain.bytes, encoding).then((bytes) => {
      const form = this.#form(bytes, encoding);
      this.#packed.set(encoding, form);
      return form;
    });
    this.#packed.set(encoding, making);
    // Requests that wait for this compression fail with its error. The next request compresses again.
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

/** Returns whether the header `If-None-Match` contains the ETag, also as a weak ETag. */
function names(known: string, etag: string): boolean {
  if (known.trim() === '*') return true;
  return known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
