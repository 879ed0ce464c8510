import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from 'hono';
import { Answer, FOR_EVER, MINUTE } from '../http/answer.ts';
import type { Asset } from './assets.ts';
import type { Html } from './markup.ts';
import { IMAGE_HOST } from './readme/location.ts';

/**
 * Content-Security-Policy of all web pages. Pages load only files of the catalog, and README images from GitHub. Other
 * sites must not embed the pages.
 */
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
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
};
const HTML = 'text/html; charset=utf-8';

/** Returns a web page as a cacheable HTTP response. Clients may cache the response for one minute. */
export async function keptPage(page: Html): Promise<Answer> {
  return new Answer(String(await page), { type: HTML, caching: MINUTE, headers: HEADERS });
}

/**
 * Returns a static file as a cacheable HTTP response. Clients may cache the file forever, because its URL contains a
 * hash of the content.
 */
export function keptAsset({ bytes, type }: Asset): Answer {
  return new Answer(bytes, { type, caching: FOR_EVER, headers: HEADERS });
}

/**
 * Sends a cached HTTP response with the content encoding that the client prefers. Sends status 304 if the client's
 * cached copy is current.
 */
export function send(c: Context, answer: Answer): Response | Promise<Response> {
  const headers: IncomingHttpHeaders = {
    'accept-encoding': c.req.header('accept-encoding'),
    'if-none-match': c.req.header('if-none-match'),
  };
  return answer.respond(headers);
}

/** Returns a web page that clients must not cache, such as the result of a form or an error. */
export async function passingPage(page: Html, status: number, more: Record<string, string> = {}): Promise<Response> {
  const headers = { ...HEADERS, 'Content-Type': HTML, 'Cache-Control': 'no-store', ...more };
  return new Response(String(await page), { status, headers });
}

/** Redirects temporarily (302) to another web page of the catalog. */
export function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { ...HEADERS, Location: location, 'Cache-Control': MINUTE } });
}
