import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { DavitError } from '@davit/api';
import type { Reply } from './bind.ts';
import { absentEndpoint, type Endpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';

/** The reference loads nothing from elsewhere and sends nothing elsewhere. Its styles are made at run time. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Davit API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>The reference needs JavaScript; the document it is made from is at <a href="/openapi.json">/openapi.json</a>.</noscript>
    <script src="/docs/page.js"></script>
    <script src="/docs/scalar.js"></script>
  </body>
</html>
`;

/** Everything that would ask another host is turned off, and so is what only makes sense with one. */
const SETTINGS = {
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  hideClientButton: true,
  showDeveloperTools: 'never',
  defaultOpenAllTags: true,
  agent: { disabled: true, hideAddApi: true },
  mcp: { disabled: true },
  persistAuth: false,
  documentDownloadType: 'direct',
};

/**
 * Runs before the reference is loaded: its validators would try whether they may make code from text, which the policy
 * forbids and the browser reports. The document is public, so it is asked for as nobody: what a page shows must not
 * depend on who looks.
 */
const PAGE_SCRIPT = `globalThis.__zod_globalConfig = { jitless: true };
const settings = ${JSON.stringify(SETTINGS)};
addEventListener('DOMContentLoaded', async () => {
  const response = await fetch('/openapi.json', { credentials: 'omit' });
  Scalar.createApiReference('#reference', { ...settings, content: await response.json() });
});
`;

/** The OpenAPI document and the reference that is rendered from it. */
export function docsEndpoints(version: string): Endpoint[] {
  let text: string | undefined;
  const document = textFile('application/json', 'no-cache', async () => {
    // Here, not above: what it is made with is needed for nothing else.
    const { openApiDocument } = await import('@davit/api/openapi.ts');
    text ??= JSON.stringify(openApiDocument(version), null, 2);
    return text;
  });
  const page = textFile(JAVASCRIPT, 'no-cache', async () => PAGE_SCRIPT);
  // Read each time: it is large, rarely asked for and kept by browsers.
  const scalar = textFile(JAVASCRIPT, 'max-age=86400', () => readFile(SCALAR));
  return [
    absentEndpoint('GET /openapi.json', { access: 'open' }, ({ exchange }) => document(exchange)),
    absentEndpoint('GET /docs', { access: 'open' }, () => ({
      status: 200,
      body: PAGE,
      headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': PAGE_POLICY },
    })),
    absentEndpoint('GET /docs/{file}', { access: 'open' }, async ({ exchange, params }) => {
      if (params.file === 'page.js') return page(exchange);
      if (params.file === 'scalar.js') return scalar(exchange);
      throw new DavitError('no_such_route');
    }),
  ];
}

/** The whole reference in one file, as the package ships it for pages without a bundler. */
const SCALAR = new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference'));

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const compress = promisify(gzip);

/** Answers with a file, compressed for who takes that. */
function textFile(
  type: string,
  caching: string,
  read: () => Promise<string | Buffer>,
): (exchange: Exchange) => Promise<Reply> {
  const headers = { 'Content-Type': type, 'Cache-Control': caching, Vary: 'Accept-Encoding' };
  const plain = joined(read);
  const packed = joined(async () => compress(await read()));
  return async ({ headers: asked }) => {
    if (!/\bgzip\b/.test(String(asked['accept-encoding']))) return { status: 200, body: await plain(), headers };
    return { status: 200, body: await packed(), headers: { ...headers, 'Content-Encoding': 'gzip' } };
  };
}

/** Who asks while it is being done waits for the same: everybody may ask, as often as he likes, and one pays for all. */
function joined<T>(work: () => Promise<T>): () => Promise<T> {
  let going: Promise<T> | undefined;
  return () => {
    going ??= work().finally(() => {
      going = undefined;
    });
    return going;
  };
}
