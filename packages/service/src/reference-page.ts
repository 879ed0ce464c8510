import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Body and headers of the HTTP response for a file of the API documentation. */
export interface ReferenceFile {
  body: string | Buffer;
  headers: Record<string, string>;
}

/**
 * Files of the API reference page. `accept` is the `Accept-Encoding` header of the request. If the client supports
 * compression, the response is compressed.
 */
export interface Reference {
  document(accept: string | undefined): Promise<ReferenceFile>;
  page(): ReferenceFile;
  script(accept: string | undefined): Promise<ReferenceFile>;
  scalar(accept: string | undefined): Promise<ReferenceFile>;
}

export interface ReferenceOptions {
  title: string;
  /**
   * Base path of `openapi.json` and `docs` without a slash at the end. The base path is empty for the root of the
   * server.
   */
  at: string;
  /** Creates the OpenAPI document as JSON text. The server calls this function only once. */
  document: () => Promise<string>;
  /**
   * Returns the file URL of an installed npm package. With this function, the server finds the package Scalar, which
   * displays the API reference.
   */
  resolve: (name: string) => string;
}

/**
 * Content security policy of the API reference page. The policy forbids requests to other hosts, but allows the inline
 * styles that the viewer Scalar creates.
 */
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

/**
 * Settings of Scalar, the viewer of the API reference. The settings disable all features that send requests to other
 * hosts.
 */
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
 * Returns the script of the API reference page. The content security policy of the page forbids generated code.
 * Therefore, the script sets `jitless` for Zod.
 */
function scriptAt(at: string): string {
  // The script requests the OpenAPI document without credentials, because the document is public.
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
    <meta name="description" content="Reference of the ${title}: its operations, fields and errors.">
    <title>${title}</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>The reference needs JavaScript. Without it, read the OpenAPI document at <a href="${at}/openapi.json">${at}/openapi.json</a>.</noscript>
    <script src="${at}/docs/page.js"></script>
    <script src="${at}/docs/scalar.js"></script>
  </body>
</html>
`;
}

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const compress = promisify(gzip);

/** Creates the API reference, which consists of the OpenAPI document and a web page with its scripts. */
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
    // Read the script from the disk for each request. The script is large, rarely requested, and cached by browsers.
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

/**
 * Returns a function that runs `work` only once for concurrent calls. Several concurrent requests therefore compress a
 * file only once.
 */
function joined<T>(work: () => Promise<T>): () => Promise<T> {
  let going: Promise<T> | undefined;
  return () => {
    going ??= work().finally(() => {
      going = undefined;
    });
    return going;
  };
}
