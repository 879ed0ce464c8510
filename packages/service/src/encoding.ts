/**
 * Decides which HTTP responses are compressed, and with which encoding. The daemon and the catalog use the same rules.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'identity' | 'gzip' | 'br';

/** Content encoding that compresses the body. */
export type Packing = Exclude<Encoding, 'identity'>;

/**
 * Maximum size in bytes of a response body that is not compressed. Such a response body fits into one network packet.
 */
const LARGEST_PLAIN = 1_024;

/** Supported content encodings of HTTP responses. If the client has no preference, the first encoding is used. */
const OFFERED = ['br', 'gzip', 'identity'] as const;

/** Returns whether a response body is large enough to be compressed. */
export function isWorthPacking(body: string | Uint8Array): boolean {
  return (typeof body === 'string' ? Buffer.byteLength(body) : body.length) > LARGEST_PLAIN;
}

/**
 * Returns the content encoding with the highest weight in the header `Accept-Encoding`. If the header is absent or
 * contains no supported encoding, returns `identity` (no compression).
 */
export function encodingFor(accept: string | undefined): Encoding {
  if (accept === undefined || accept === '') return 'identity';
  const weights = new Map(accept.split(',').map(weight));
  const others = weights.get('*');
  let best: Encoding = 'identity';
  let most = 0;
  for (const encoding of OFFERED) {
    // `identity` means no compression. Its default weight is the lowest, so that the server prefers any compression.
    const unnamed = encoding === 'identity' ? (others ?? Number.MIN_VALUE) : (others ?? 0);
    const liked = weights.get(encoding) ?? (encoding === 'gzip' ? weights.get('x-gzip') : undefined) ?? unnamed;
    if (liked > most) [best, most] = [encoding, liked];
  }
  return best;
}

function weight(range: string): [encoding: string, weight: number] {
  const [encoding = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const number = q === undefined ? 1 : /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(q) ? Number(q) : 0;
  return [encoding, number];
}

/**
 * Options for Brotli. The quality is low, because the first client waits for the compression. A higher quality takes
 * longer.
 */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const brotli = promisify(brotliCompress);
const packers = { gzip: promisify(gzip), br: (bytes: Uint8Array) => brotli(bytes, QUALITY) } as const;

/** Compresses a response body in another thread, so that the server can meanwhile handle other requests. */
export function pack(bytes: Uint8Array, encoding: Packing): Promise<Uint8Array> {
  return packers[encoding](bytes);
}
