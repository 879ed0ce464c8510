/** Icons of templates, so that a browser asks the catalog for nothing: they are pictures for pages, and no part of the API. */
import { DavitError } from '@davit/api';
import { readIcon } from '../../resources/templates/template.ts';
import type { HttpDeps } from '../deps.ts';
import { absentEndpoint } from '../endpoint.ts';
import type { Endpoint } from '../exchange.ts';

/** The catalog’s number of a repository, and a commit of it. */
const REPOSITORY = /^-?\d{1,20}$/;
const FILE = /^[0-9a-f]{7,64}\.png$/;

/** The commit is in the address, so that a picture never changes; who may see it, might. */
const HEADERS = {
  'Content-Type': 'image/png',
  'Cache-Control': 'private, max-age=86400',
  'Content-Security-Policy': "default-src 'none'",
};

export function templateIconEndpoint(core: HttpDeps): Endpoint {
  const route = 'GET /api/template-icons/{repository}/{file}';
  return absentEndpoint(route, { access: 'caller' }, async ({ params: { repository = '', file = '' } }) => {
    if (!REPOSITORY.test(repository) || !FILE.test(file)) throw new DavitError('not_found');
    return { status: 200, body: await readIcon(core, repository, file), headers: HEADERS };
  });
}
