import { CatalogError } from '@davit/api/catalog/errors.ts';
import type { Answer } from '../http/answer.ts';
import { withoutListing } from '../http/item.ts';
import { readListQuery, readParameters } from '../http/query.ts';
import type { PageContext } from './context.ts';
import { itemOf } from './item.ts';
import { listingPage } from './listing-page.ts';
import { badQueryPage } from './plain-pages.ts';
import { keptPage, passingPage } from './respond.ts';

/**
 * Responds with the web page that lists templates. The page has the same query parameters as the API.
 * @throws StoreUnavailable if the catalog database has no index or cannot be read
 */
export async function showListing(pages: PageContext, query: string): Promise<Answer | Response> {
  try {
    return await keptPage(listingPage(pages.site, viewOf(pages, query)));
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    return passingPage(badQueryPage(pages.site, error.message), error.status);
  }
}

function viewOf({ reader, config, cursors }: PageContext, query: string) {
  const { cursor, ...listRequest } = readListQuery(query);
  const { templates, next } = reader.list({
    ...listRequest,
    after: cursor === null ? null : cursors.read(cursor, listRequest),
  });
  const written = readParameters(query, ['q', 'tag']);
  return {
    sought: { q: written.q?.trim() ?? '', tag: written.tag ?? '', sort: listRequest.sort, continued: cursor !== null },
    items: templates.map((listed) => itemOf(listed, config)),
    next: next && cursors.write(next, listRequest),
    tags: withoutListing(reader.topics(), config),
    count: reader.count(),
    now: new Date(),
  };
}
