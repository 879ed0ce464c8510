import { CatalogError } from '@davit/api/catalog/errors.ts';
import type { CatalogValidation } from '@davit/api/catalog.ts';
import { type ListenerBindings, queryOf } from '@davit/service';
import { type Context, type ErrorHandler, Hono } from 'hono';
import { Cursors, cursorKey } from '../http/cursor.ts';
import type { CatalogReader } from '../store/types.ts';
import { StoreUnavailable } from '../store/unavailable.ts';
import { checkPage, EXAMPLE } from './check-page.ts';
import { codesPage } from './codes-page.ts';
import type { PageContext, PagesOptions } from './context.ts';
import { readField } from './form.ts';
import { KeptPages } from './kept-pages.ts';
import { showListing } from './listing.ts';
import { html } from './markup.ts';
import { failedPage, messagePage, notFoundPage, pendingPage } from './plain-pages.ts';
import { Readmes } from './readme/readme.ts';
import { keptAsset, keptPage, passingPage, redirect, send } from './respond.ts';
import { createSite, type Site } from './site.ts';
import { showTemplate } from './template.ts';

type Env = { Bindings: Partial<ListenerBindings> };

/** Value of the `Retry-After` header in seconds, while the first indexing run is creating the index. */
const RETRY_AFTER_S = '5';

/** Creates the Hono app with the web pages of the catalog. Error responses are also web pages. */
export function createPages(options: PagesOptions): Hono<Env> {
  const site = createSite(options.config);
  const pages: PageContext = {
    ...options,
    site,
    cursors: new Cursors(cursorKey(options.config.dataDir)),
    readmes: new Readmes(),
  };
  const kept = new KeptPages(options.reader);
  const app = new Hono<Env>();

  app.get('/', (c) => kept.send(c, () => showListing(pages, queryOfRequest(c))));
  app.get('/templates/:owner/:name', (c) => {
    const { owner, name } = c.req.param();
    return kept.send(c, () => showTemplate(pages, owner, name));
  });
  app.get('/codes', (c) => kept.send(c, () => keptPage(codesPage(site))));
  app.get('/check', (c) => {
    const text = c.req.query('example') === '1' ? EXAMPLE : '';
    return kept.send(c, () => keptPage(checkPage(site, { text, checked: null })));
  });
  app.post('/check', (c) => answerCheck(c, pages));
  for (const asset of Object.values(site.assets)) {
    const answer = keptAsset(asset);
    app.get(asset.path, (c) => send(c, answer));
  }
  app.get('/templates', () => redirect(site.at('/')));
  app.all('*', (c) => answerOther(c, site));
  app.onError(answerFailure(site, options));
  return app;
}

/**
 * Checks a template file that a browser without JavaScript has submitted as a form. Browsers with JavaScript call the
 * API instead.
 */
async function answerCheck(c: Context, { site, validator }: PageContext): Promise<Response> {
  let text = '';
  try {
    text = await readField(c.req.raw, 'template');
    const checked = text.trim() ? (JSON.parse(await validator.check(Buffer.from(text))) as CatalogValidation) : null;
    return await passingPage(checkPage(site, { text, checked }), 200);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    return passingPage(checkPage(site, { text, checked: null, refusal: error.message }), error.status);
  }
}

/** Responds to requests for an unknown path, and to HTTP methods that a page does not support. */
function answerOther(c: Context, site: Site): Promise<Response> {
  if (['GET', 'HEAD'].includes(c.req.method)) return passingPage(notFoundPage(site), 404);
  const allow = c.req.path === '/check' ? 'GET, HEAD, POST' : 'GET, HEAD';
  const page = messagePage(
    site,
    'This page supports only GET',
    html`<p>Open its address in a browser, or use the <a href="${site.at('/api/v1/docs')}">API</a>.</p>`,
  );
  return passingPage(page, 405, { Allow: allow });
}

function answerFailure(site: Site, { reader, log }: PagesOptions): ErrorHandler<Env> {
  return (error, c) => {
    if (error instanceof StoreUnavailable)
      return passingPage(pendingPage(site, whyPending(reader)), 503, { 'Retry-After': RETRY_AFTER_S });
    log.error({ error, path: c.req.path }, 'page failed');
    return passingPage(failedPage(site), 500);
  };
}

/**
 * Returns the reason why the last indexing run failed. Returns `null` if the run succeeded, or if the catalog database
 * cannot be read.
 */
function whyPending(reader: CatalogReader): string | null {
  try {
    return reader.lastPass()?.error ?? null;
  } catch {
    // The last error is not shown, because the web page already reports that the catalog database cannot be read.
    return null;
  }
}

/**
 * Returns the query string of the request without decoding it. Decoding would replace invalid UTF-8, so a later check
 * could not find it.
 */
function queryOfRequest(c: Context<Env>): string {
  return queryOf(c.env?.incoming?.url ?? new URL(c.req.url).search);
}
