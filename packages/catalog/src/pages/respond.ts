import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'hono';
import type { Asset } from './assets.ts';
import type { Html } from './markup.ts';
import { IMAGE_HOST } from './readme/place.ts';

const compress = promisify(gzip);

/** Nothing runs, loads or frames a page but what is its own, save images that READMEs show from the source host. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  `img-src 'self' ${IMAGE_HOST}`,
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': 'DENY',
};

/** As long as the API's answers are kept. */
const KEPT = 'public, max-age=60';

export interface PageAnswer {
  body: Html;
  status?: number;
  headers?: Record<string, string>;
}

/** Answers a page: compressed where that is understood, kept for a minute, and not sent again to who has it. Errors are not kept. */
export async function answerPage(c: Context, { body, status = 200, headers = {} }: PageAnswer): Promise<Response> {
  const bytes = Buffer.from(String(await body));
  const own = { ...HEADERS, 'content-type': 'text/html; charset=utf-8', vary: 'accept-encoding', ...headers };
  const packed = understandsGzip(c) ? await compress(bytes) : null;
  const encoded = { ...own, ...(packed ? { 'content-encoding': 'gzip' } : {}) };
  if (status !== 200 || c.req.method === 'POST') {
    return new Response(packed ?? bytes, { status, headers: { ...encoded, 'cache-control': 'no-store' } });
  }
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const etag = `"${hash}${packed ? '-gzip' : ''}"`;
  const kept = { 'cache-control': KEPT, etag };
  if (isKnown(c, etag)) return new Response(null, { status: 304, headers: { ...own, ...kept } });
  return new Response(packed ?? bytes, { headers: { ...encoded, ...kept } });
}

/** Answers a file of the pages, which never changes under its address. */
export function answerAsset(c: Context, { type, bytes, gzipped }: Asset): Response {
  const packed = understandsGzip(c);
  return new Response(packed ? gzipped : bytes, {
    headers: {
      ...HEADERS,
      'content-type': type,
      vary: 'accept-encoding',
      'cache-control': 'public, max-age=31536000, immutable',
      ...(packed ? { 'content-encoding': 'gzip' } : {}),
    },
  });
}

/** Leads to another page of the catalog, for now. */
export function answerRedirect(location: string): Response {
  return new Response(null, { status: 302, headers: { ...HEADERS, location, 'cache-control': KEPT } });
}

function understandsGzip(c: Context): boolean {
  const codings = (c.req.header('accept-encoding') ?? '').split(',').map((coding) => coding.replace(/\s/g, ''));
  return codings.some((coding) => /^(gzip|\*)(;|$)/i.test(coding) && !/;q=0(\.0*)?$/i.test(coding));
}

function isKnown(c: Context, etag: string): boolean {
  const known = c.req.header('if-none-match');
  return known !== undefined && known.split(',').some((tag) => [etag, '*'].includes(tag.trim().replace(/^W\//, '')));
}
