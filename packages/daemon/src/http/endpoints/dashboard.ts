import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AbsentRoute, DavitError, PAGES } from '@davit/api';
import { prefersPage } from '@davit/service';
import type { Reply } from '../bind.ts';
import { absentEndpoint } from '../endpoint.ts';
import type { Endpoint, Exchange } from '../exchange.ts';

/** Where the dashboard's build puts what is served here. */
const BUILT = fileURLToPath(new URL('dist/', import.meta.resolve('@davit/dashboard/package.json')));

/** Everything comes from here, and nothing that is written into a page runs. */
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

/** A worker is held to the policy of its own script, so that each file has it. */
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

/** A name as the build makes them: no folder, and no hidden file. */
const FILE_NAME = /^[\w-][\w.-]*$/;

/** The addresses of other protocols: who asks there is a program, and is told in words. */
const NOT_PAGES = /^\/(?:api|docs|assets|v2|mcp|hooks|metrics|oauth|\.well-known)(?:\/|$)/;

/** The dashboard as its build left it, in a folder that is looked into for each request: it may be built anew at any time. */
export class Dashboard {
  readonly #folder: string;

  constructor(folder: string = BUILT) {
    this.#folder = folder;
  }

  /** @throws DavitError unavailable when it is not built */
  async page({ headers }: Exchange): Promise<Reply> {
    const page = await this.#read('index.html', headers['accept-encoding']);
    if (page !== null) return page;
    throw new DavitError(
      'unavailable',
      'The dashboard is not built: run «npm run build:dashboard» in the repository, then load this page again.',
    );
  }

  /** What a person is shown whose browser asks for an address that is none; null: that is said in words. */
  async missing({ isApi, isRead, path, headers }: Exchange): Promise<Reply | null> {
    if (isApi || !isRead || NOT_PAGES.test(path) || !prefersPage(headers.accept ?? '')) return null;
    const page = await this.#read('index.html', headers['accept-encoding']);
    if (page === null) return null;
    const { ETag: _, ...rest } = page.headers ?? {};
    return { ...page, status: 404, headers: rest };
  }

  /** @throws DavitError no_such_route */
  async file(name: string, { headers }: Exchange): Promise<Reply> {
    const file = await this.#read(name, headers['accept-encoding']);
    if (file === null) throw new DavitError('no_such_route');
    return file;
  }

  /** A file whose name changes with what is in it. @throws DavitError no_such_route */
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

/** In which forms a file may be sent, the shortest first. The build has compressed what gets shorter by it. */
function encodings(accepted: string): [encoding: string, ending: string][] {
  const takes = (name: string) => new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|\\s|$))`).test(accepted);
  return [
    ...(takes('br') ? [['br', '.br'] as [string, string]] : []),
    ...(takes('gzip') ? [['gzip', '.gz'] as [string, string]] : []),
    ['', ''],
  ];
}

/** The dashboard's pages, and what they load. */
export function dashboardEndpoints(dashboard: Dashboard): Endpoint[] {
  const open = { access: 'open' } as const;
  // What stands in a page's query is the page's own matter.
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
