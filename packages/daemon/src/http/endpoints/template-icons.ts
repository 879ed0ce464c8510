/**
 * Icons of templates. The daemon fetches them, so that browsers send no requests to the catalog. Icons are images for
 * pages and not part of the API.
 */
import { DavitError } from '@davit/api';
import { readIcon } from '../../resources/templates/template.ts';
import type { HttpDeps } from '../deps.ts';
import { absentEndpoint } from '../endpoint.ts';
import type { Endpoint } from '../exchange.ts';

/** Id of a repository in the catalog. `FILE` contains a commit of the repository. */
const REPOSITORY = /^-?\d{1,20}$/;
const FILE = /^[0-9a-f]{7,64}\.png$/;

/**
 * Headers of icons. The path contains the commit, so an icon never changes. The cache is private, because the rights to
 * see the icon may change.
 */
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
