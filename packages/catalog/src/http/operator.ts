/**
 * API routes for operators of a template catalog and for developers: health, metrics, template schema and API
 * reference.
 */
import { readFileSync } from 'node:fs';
import type { CatalogHealth } from '@davit/api/catalog.ts';
import { createReference, type ReferenceFile } from '@davit/service';
import type { CatalogConfig } from '../config/config.ts';
import type { CatalogReader } from '../store/types.ts';
import { VERSION } from '../version.ts';
import { Answer, MINUTE } from './answer.ts';
import type { Route } from './exchange.ts';
import { OPEN, passing } from './failure.ts';
import type { Exposition } from './metrics.ts';

export interface OperatorParts {
  config: CatalogConfig;
  reader: CatalogReader;
  metrics: Exposition;
}

export function operatorRoutes({ config, reader, metrics }: OperatorParts): Route[] {
  return [health(reader), metricsRoute(metrics), schema(), ...docs(config)].map((route) => ({
    ...route,
    atRoot: true,
  }));
}

function health(reader: CatalogReader): Route {
  return {
    id: 'getHealth',
    method: 'GET',
    path: '/healthz',
    handle: () => passing('application/json', `${JSON.stringify(healthOf(reader))}\n`),
  };
}

/**
 * Returns the health of the catalog. The HTTP status is always 200, because a restart of the catalog would not solve
 * any problem. The response body contains the problems.
 */
function healthOf(reader: CatalogReader): CatalogHealth {
  try {
    const last = reader.lastPass();
    const index = reader.index();
    const { repositories, accepted, rejected, hidden, failed } = last ?? {};
    return {
      last_pass: last?.finishedAt ?? null,
      ...(last?.error && { last_error: last.error }),
      ...(last && { report: { repositories, accepted, rejected, hidden, failed } as CatalogHealth['report'] }),
      index,
      templates: index === null ? null : reader.count(),
    };
  } catch {
    // The error is not logged here, because every failed read of the catalog database is already logged.
    return {
      last_pass: null,
      last_error: 'The index cannot be read. Find the reason in the log of the catalog.',
      index: null,
      templates: null,
    };
  }
}

function metricsRoute(metrics: Exposition): Route {
  return {
    id: 'getMetrics',
    method: 'GET',
    path: '/metrics',
    async handle({ headers }) {
      const { type, body } = await metrics.read();
      return new Answer(body, { type, caching: 'no-store' }).respond(headers);
    },
  };
}

function schema(): Route {
  let answer: Answer | null = null;
  return {
    id: 'getTemplateSchema',
    method: 'GET',
    path: '/schema/template/v1.json',
    handle({ headers }) {
      answer ??= new Answer(readFileSync(new URL(import.meta.resolve('@davit/template/template.schema.json'))), {
        type: 'application/schema+json',
        caching: MINUTE,
      });
      return answer.respond(headers);
    },
  };
}

function docs(config: CatalogConfig): Route[] {
  const at = `${new URL(config.url).pathname.replace(/\/$/, '')}/api/v1`;
  const reference = createReference({
    title: 'Davit catalog API',
    at,
    document: async () => {
      // Only the OpenAPI document needs this module, so the module is loaded when a client requests the document.
      const { catalogDocument } = await import('@davit/api/catalog/openapi.ts');
      return `${JSON.stringify(catalogDocument(VERSION, at), null, 2)}\n`;
    },
    resolve: (name) => import.meta.resolve(name),
  });
  return [
    kept('getDocument', '/openapi.json', () => reference.document(undefined)),
    kept('getReference', '/docs', () => reference.page()),
    kept('getReference', '/docs/page.js', () => reference.script(undefined)),
    {
      id: 'getReference',
      method: 'GET',
      path: '/docs/scalar.js',
      // The file `scalar.js` is large and rarely requested, so the response cache does not store the file.
      handle: async ({ headers }) => passedOn(await reference.scalar(String(headers['accept-encoding']))),
    },
  ];
}

/**
 * Returns the route for a file of the API reference. The route sends the compressed file with an ETag. Clients may
 * cache the file for one minute.
 */
function kept(id: string, path: string, make: () => ReferenceFile | Promise<ReferenceFile>): Route {
  let answer: Promise<Answer> | null = null;
  return {
    id,
    method: 'GET',
    path,
    async handle({ headers }) {
      answer ??= answerOf(make);
      return (await answer).respond(headers);
    },
  };
}

async function answerOf(make: () => ReferenceFile | Promise<ReferenceFile>): Promise<Answer> {
  const { body, headers } = await make();
  const { 'Content-Type': type = '', 'Content-Security-Policy': policy } = headers;
  const more = policy === undefined ? {} : { 'Content-Security-Policy': policy };
  return new Answer(body, { type, caching: MINUTE, headers: more });
}

function passedOn({ body, headers }: ReferenceFile): Response {
  const length = { 'Content-Length': String(Buffer.byteLength(body)) };
  return new Response(body as string, { headers: { ...OPEN, ...headers, ...length } });
}
