import { DavitError } from '@davit/api';
import { createReference, type ReferenceFile } from '@davit/service';
import type { Reply } from '../bind.ts';
import { absentEndpoint } from '../endpoint.ts';
import type { Endpoint, Exchange } from '../exchange.ts';

/** Returns the endpoints for the OpenAPI document and the API reference page. */
export function docsEndpoints(version: string): Endpoint[] {
  const reference = createReference({
    title: 'Davit API',
    at: '',
    document: async () => {
      // The OpenAPI module is imported at the first request, because no other endpoint needs it.
      const { openApiDocument } = await import('@davit/api/openapi.ts');
      return JSON.stringify(openApiDocument(version), null, 2);
    },
    resolve: (name) => import.meta.resolve(name),
  });
  return [
    absentEndpoint('GET /openapi.json', { access: 'open' }, async ({ exchange }) =>
      reply(await reference.document(accepted(exchange))),
    ),
    absentEndpoint('GET /docs', { access: 'open' }, () => reply(reference.page())),
    absentEndpoint('GET /docs/{file}', { access: 'open' }, async ({ exchange, params }) => {
      if (params.file === 'page.js') return reply(await reference.script(accepted(exchange)));
      if (params.file === 'scalar.js') return reply(await reference.scalar(accepted(exchange)));
      throw new DavitError('no_such_route');
    }),
  ];
}

function accepted({ headers }: Exchange): string {
  return String(headers['accept-encoding']);
}

function reply(file: ReferenceFile): Reply {
  return { status: 200, ...file };
}
