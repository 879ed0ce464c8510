/**
 * Sends the icons of templates to the dashboard. The daemon downloads the icons, so browsers send no requests to the
 * template catalog.
 */
import { DavitError } from '@davit/api';
import { readIcon } from '../../resources/templates/template.ts';
import type { HttpDeps } from '../deps.ts';
import { absentEndpoint } from '../endpoint.ts';
import type { Endpoint } from '../exchange.ts';

/**
 * Patterns for the parts of an icon's URL. `REPOSITORY` matches the id of a template repository. `FILE` matches a Git
 * commit with the extension `.png`.
 */
const REPOSITORY = /^-?\d{1,20}$/;
const FILE = /^[0-9a-f]{7,64}\.png$/;

/**
 * Headers of template icons. The content of a URL never changes. Shared caches must not store icons, because users may
 * lose access to the template.
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
