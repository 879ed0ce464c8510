import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** An answer with a file of the reference. */
export interface ReferenceFile {
  body: string | Buffer;
  headers: Record<string, string>;
}

/** The files of a reference, each compressed for who takes that: `accept` is the request's `Accept-Encoding`. */
export interface Reference {
  document(accept: string | undefined): Promise<ReferenceFile>;
  page(): ReferenceFile;
  script(accept: string | undefined): Promise<ReferenceFile>;
  scalar(accept: string | undefined): Promise<ReferenceFile>;
}

export interface ReferenceOptions {
  title: string;
  /** Under what `openapi.json` and `docs` stand, without a slash at its end; empty: at the root. */
  at: string;
  /** Makes the text of the OpenAPI document; asked once. */
  document: () => Promise<string>;
  /** Where the package is that renders it. */
  resolve: (name: string) => string;
}

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
function scriptAt(at: string): string {
  return `globalThis.__zod_globalConfig = { jitless: true };
const settings = ${JSON.stringify(SETTINGS)};
addEventListener('DOMContentLoaded', async () => {
  const response = await fetch('${at}/openapi.json', { credentials: 'omit' });
  Scalar.createApiReference('#reference', { ...settings, content: await response.json() });
});
`;
}

function pageAt(at: string, title: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>The reference needs JavaScript; the document it is made from is at <a href="${at}/openapi.json">${at}/openapi.json</a>.</noscript>
    <script src="${at}/docs/page.js"></script>
    <script src="${at}/docs/scalar.js"></script>
  </body>
</html>
`;
}

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const compress = promisify(gzip);

/** An OpenAPI document and the reference that is rendered from it: `docs`, `docs/page.js`, `docs/scalar.js`. */
export function createReference({ title, at, document, resolve }: ReferenceOptions): Reference {
  let text: string | undefined;
  const page = pageAt(at, title);
  const script = scriptAt(at);
  return {
    document: textFile('application/json', 'no-cache', async () => {
      text ??= await document();
      return text;
    }),
    page: () => ({
      body: page,
      headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': PAGE_POLICY },
    }),
    script: textFile(JAVASCRIPT, 'no-cache', async () => script),
    // The whole reference in one file, as its package ships it for pages without a bundler. Read each time: it is large,
    // rarely asked for and kept by browsers.
    scalar: textFile(JAVASCRIPT, 'max-age=86400', () =>
      readFile(new URL('browser/standalone.js', resolve('@scalar/api-reference'))),
    ),
  };
}

function textFile(
  type: string,
  caching: string,
  read: () => Promise<string | Buffer>,
): (accept: string | undefined) => Promise<ReferenceFile> {
  const headers = { 'Content-Type': type, 'Cache-Control': caching, Vary: 'Accept-Encoding' };
  const plain = joined(read);
  const packed = joined(async () => compress(await read()));
  return async (accept) => {
    if (!/\bgzip\b/.test(String(accept))) return { body: await plain(), headers };
    return { body: await packed(), headers: { ...headers, 'Content-Encoding': 'gzip' } };
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
