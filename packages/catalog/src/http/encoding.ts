import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'identity' | 'gzip' | 'br';

/** The best first, where the client likes them alike. */
const OFFERED = ['br', 'gzip', 'identity'] as const;

/**
 * Which form of an answer the client likes best, by `Accept-Encoding` with its weights. What is not named is not wanted,
 * but for the plain form, which is taken unless it is refused; when nothing is left the plain form is sent all the same.
 */
export function encodingFor(accept: string | undefined): Encoding {
  if (accept === undefined || accept === '') return 'identity';
  const weights = new Map(accept.split(',').map(weight));
  const others = weights.get('*');
  let best: Encoding = 'identity';
  let most = 0;
  for (const encoding of OFFERED) {
    // Least of all, so that whatever else is named wins.
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

/** Each answer is packed once and sent often, but somebody waits for the first. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const brotli = promisify(brotliCompress);
const packers = { gzip: promisify(gzip), br: (bytes: Uint8Array) => brotli(bytes, QUALITY) } as const;

export function pack(bytes: Uint8Array, encoding: Exclude<Encoding, 'identity'>): Promise<Uint8Array> {
  return packers[encoding](bytes);
}
