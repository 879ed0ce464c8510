import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AbsentRoute, DavitError, PAGES } from '@davit/api';
import { prefersPage } from '@davit/service';
import type { Reply } from '../bind.ts';
import { absentEndpoint } from '../endpoint.ts';
import type { Endpoint, Exchange } from '../exchange.ts';

/** Folder with the built files of the dashboard. */
const BUILT = fileURLToPath(new URL('dist/', import.meta.resolve('@davit/dashboard/package.json')));

/**
 * Content security policy of the dashboard. All resources come from the same origin, and inline scripts are not
 * allowed.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * HTTP headers of all dashboard files. Script files need the content security policy too, because a web worker uses the
 * policy of its script file.
 */
const COMMON = {
  'Content-Security-Policy': POLICY,
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  Vary: 'Accept-Encoding',
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

/**
 * Pattern for valid names of dashboard files in the folder `assets`. A valid name contains no folder and does not start
 * with a dot.
 */
const FILE_NAME = /^[\w-][\w.-]*$/;

/**
 * URL paths that are not dashboard pages. API clients and other programs use these paths, so errors are sent as text
 * and not as an HTML page.
 */
const NOT_PAGES = /^\/(?:api|docs|assets|v2|mcp|hooks|metrics|oauth|\.well-known)(?:\/|$)/;

/**
 * Serves the built files of the dashboard. Each request reads the file from disk, because a new build can replace the
 * files at any time.
 */
export class Dashboard {
  readonly #folder: string;

  constructor(folder: string = BUILT) {
    this.#folder = folder;
  }

  /** Returns the dashboard's HTML page. @throws DavitError unavailable if the dashboard is not built */
  async page({ headers }: Exchange): Promise<Reply> {
    const page = await this.#read('index.html', headers['accept-encoding']);
    if (page !== null) return page;
    throw new DavitError(
      'unavailable',
      'The dashboard is not built. Run “npm run build:dashboard” in the repository, then load this page again.',
    );
  }

  /**
   * Returns the dashboard's HTML page with status 404. Returns `null` if the client is not a browser, because other
   * clients get the error as text.
   */
  async missing({ isApi, isRead, path, headers }: Exchange): Promise<Reply | null> {
    if (isApi || !isRead || NOT_PAGES.test(path) || !prefersPage(headers.accept ?? '')) return null;
    const page = await this.#read('index.html', headers['accept-encoding']);
    if (page === null) return null;
    const { ETag: _, ...rest } = page.headers ?? {};
    return { ...page, status: 404, headers: rest };
  }

  /** Returns a file of the dashboard. @throws DavitError no_such_route if the file does not exist */
  async file(name: string, { headers }: Exchange): Promise<Reply> {
    const file = await this.#read(name, headers['accept-encoding']);
    if (file === null) throw new DavitError('no_such_route');
    return file;
  }

  /**
   * Returns a dashboard file that browsers may cache forever, because its name contains a hash of the content.
   * @throws DavitError no_such_route
   */
  async asset(name: string, { headers }: Exchange): Promise<Reply> {
    const file = FILE_NAME.test(name) ? await this.#read(join('assets', name), headers['accept-encoding']) : null;
    if (file === null) throw new DavitError('no_such_route');
    return { ...file, headers: { ...file.headers, 'Cache-Control': 'public, max-age=31536000, immutable' } };
  }

  async #read(path: string, accepted: Exchange['headers']['accept-encoding']): Promise<Reply | null> {
    for (const [encoding, ending] of encodings(String(accepted ?? ''))) {
      const body = await readFile(join(this.#folder, `${path}${ending}`)).catch(absent);
      if (body === null) continue;
      const headers: Record<string, string> = {
        ...COMMON,
        'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
        'Content-Length': String(body.length),
        'Cache-Control': 'no-cache',
        ETag: `W/"${hash('sha256', body, 'base64url').slice(0, 22)}"`,
      };
      if (encoding !== '') headers['Content-Encoding'] = encoding;
      return { status: 200, body, headers };
    }
    return null;
  }
}

function absent(error: NodeJS.ErrnoException): null {
  if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(error.code ?? '')) return null;
  throw error;
}

/**
 * Returns the content encodings that the client accepts, with their file suffixes. The best compression comes first,
 * and the uncompressed file comes last.
 */
function encodings(accepted: string): [encoding: string, ending: string][] {
  const takes = (name: string) => new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|\\s|$))`).test(accepted);
  return [
    ...(takes('br') ? [['br', '.br'] as [string, string]] : []),
    ...(takes('gzip') ? [['gzip', '.gz'] as [string, string]] : []),
    ['', ''],
  ];
}

/** Returns the endpoints for the dashboard's HTML pages and the files that they load. */
export function dashboardEndpoints(dashboard: Dashboard): Endpoint[] {
  const open = { access: 'open' } as const;
  // The server accepts any query string for a page, because only the scripts of the page read it.
  const pages = PAGES.map((path) =>
    absentEndpoint(`GET ${path}` satisfies AbsentRoute, { ...open, raw: true }, ({ exchange }) =>
      dashboard.page(exchange),
    ),
  );
  return [
    ...pages,
    absentEndpoint('GET /assets/{file}', open, ({ exchange, params }) => dashboard.asset(params.file ?? '', exchange)),
    absentEndpoint('GET /icon.svg', open, ({ exchange }) => dashboard.file('icon.svg', exchange)),
    absentEndpoint('GET /theme.js', open, ({ exchange }) => dashboard.file('theme.js', exchange)),
  ];
}
