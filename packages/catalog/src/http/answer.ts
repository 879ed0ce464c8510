import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Encoding, encodingFor, pack } from './encoding.ts';
import { OPEN } from './failure.ts';

export const MINUTE = 'public, max-age=60';
export const FOR_EVER = 'public, max-age=31536000, immutable';

export interface AnswerOptions {
  type: string;
  caching: string;
  /** Whether the body is already compressed, as images are. */
  packed?: boolean;
  headers?: Record<string, string>;
}

/** One encoding of an answer, ready to be sent. */
interface Form {
  etag: string;
  bytes: Uint8Array;
  headers: Record<string, string>;
  unchanged: Record<string, string>;
}

/** Minimum size in bytes for compression. Smaller bodies do not shrink. */
const WORTH_PACKING = 256;
/** Approximate memory in bytes of an answer besides its body. */
const OVERHEAD = 2_048;

/** A finished answer. Its compressed forms are made on first use and are kept. */
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

  /** Maximum memory in bytes that the answer may use. */
  get size(): number {
    return OVERHEAD + 2 * this.#plain.bytes.length;
  }

  /** Answers a GET or HEAD request with the preferred encoding, or with 304 if the client has the current version. */
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
    // Waiting requests fail with this error, and the next request compresses again.
    making.catch(() => this.#packed.delete(encoding));
    return making;
  }

  #form(bytes: Uint8Array, encoding: Encoding): Form {
    const { type, caching, packed, headers } = this.#options;
    // A strong ETag identifies exact bytes, so each encoding has its own ETag.
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

/** Returns whether `If-None-Match` contains the ETag. A weak ETag also matches. */
function names(known: string, etag: string): boolean {
  if (known.trim() === '*') return true;
  return known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
