import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from 'hono';
import { Answer, FOR_EVER, MINUTE } from '../http/answer.ts';
import type { Asset } from './assets.ts';
import type { Html } from './markup.ts';
import { IMAGE_HOST } from './readme/place.ts';

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
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
};
const HTML = 'text/html; charset=utf-8';

/** A page that may be kept for a minute. */
export async function keptPage(page: Html): Promise<Answer> {
  return new Answer(String(await page), { type: HTML, caching: MINUTE, headers: HEADERS });
}

/** A file of the pages, which never changes under its address. */
export function keptAsset({ bytes, type }: Asset): Answer {
  return new Answer(bytes, { type, caching: FOR_EVER, headers: HEADERS });
}

/** Sends what is kept: packed as the client likes it, or not at all when it has it. */
export function send(c: Context, answer: Answer): Response | Promise<Response> {
  const headers: IncomingHttpHeaders = {
    'accept-encoding': c.req.header('accept-encoding'),
    'if-none-match': c.req.header('if-none-match'),
  };
  return answer.respond(headers);
}

/** A page that nobody keeps: what a form gave, or what went wrong. */
export async function passingPage(page: Html, status: number, more: Record<string, string> = {}): Promise<Response> {
  const headers = { ...HEADERS, 'Content-Type': HTML, 'Cache-Control': 'no-store', ...more };
  return new Response(String(await page), { status, headers });
}

/** Leads to another page of the catalog, for now. */
export function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { ...HEADERS, Location: location, 'Cache-Control': MINUTE } });
}
