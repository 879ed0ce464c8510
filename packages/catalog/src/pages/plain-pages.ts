import type { ReleaseRecord } from '../store/types.ts';
import { historyView } from './history.ts';
import { layout } from './layout.ts';
import { searchForm } from './listing-page.ts';
import { type Html, html } from './markup.ts';
import type { Site } from './site.ts';
import { apiPath, section } from './template-page.ts';

/** Returns a web page with a title and a message, for example for an error. */
export function messagePage(site: Site, title: string, body: Html): Html {
  return layout(site, {
    title,
    section: null,
    hidden: true,
    body: html`<div class="message"><h1>${title}</h1>${body}</div>`,
  });
}

export function notFoundPage(site: Site): Html {
  return messagePage(
    site,
    'Page not found',
    html`<p>No page has this address. Check the address. <a href="${site.at('/')}">Browse the templates</a></p>`,
  );
}

export function unknownTemplatePage(site: Site, owner: string, name: string): Html {
  return messagePage(
    site,
    'Template not found',
    html`<p><bdi>${owner}/${name}</bdi> is not in the catalog. Its repository may have a new name, be private, or have no accepted release.</p>
<p>The catalog lists a template within minutes of its release. You can <a href="${site.at('/check')}">check the file</a> before the release, or <a href="${site.at('/')}">browse the templates</a>.</p>`,
  );
}

/**
 * Returns the web page of a Git repository whose releases were all rejected. The page lists the problems of each
 * release for the author.
 */
export function unlistedPage(
  site: Site,
  { owner, name, releases, now }: { owner: string; name: string; releases: readonly ReleaseRecord[]; now: Date },
): Html {
  const json = `${apiPath({ owner, name })}/releases`;
  return layout(site, {
    title: `${owner}/${name}`,
    section: null,
    hidden: true,
    body: html`<div class="intro"><h1><bdi>${owner}/${name}</bdi></h1>
<p class="lead">${
      releases.length === 0
        ? 'This repository has not published a release yet. The catalog lists it after the first accepted release.'
        : html`The catalog has not accepted a release of this repository, so it is not listed. Correct the problems below, <a href="${site.at('/check')}">check the file</a>, and publish a new release.`
    }</p></div>
${releases.length === 0 ? '' : section('releases', 'Releases', historyView(site, { releases, listed: null, json, now }))}`,
  });
}

/** Returns the web page for an invalid search. */
export function badQueryPage(site: Site, message: string): Html {
  return messagePage(
    site,
    'The search is not valid',
    html`<p>${message}</p>${searchForm(site, { q: '', tag: '', sort: 'recent' })}<p><a href="${site.at('/')}">Browse all templates</a></p>`,
  );
}

/**
 * Returns the web page that a catalog without an index shows.
 * @param why reason why the last indexing run failed, or `null`
 */
export function pendingPage(site: Site, why: string | null): Html {
  return messagePage(
    site,
    why === null ? 'The catalog is not ready' : 'The catalog could not be read',
    html`${
      why === null
        ? html`<p>The catalog is reading its repositories for the first time, or its index cannot be read. Try again in a few seconds.</p>`
        : html`<p>The catalog could not read all repositories. It tries again within minutes.</p><p><bdi>${why}</bdi></p>`
    }
<p>Meanwhile, you can <a href="${site.at('/check')}">check a file</a>.</p>`,
  );
}

export function failedPage(site: Site): Html {
  return messagePage(
    site,
    'Internal error',
    html`<p>The catalog could not create this page because of an internal error. Try again in a minute, or <a href="${site.at('/')}">browse the templates</a>.</p>`,
  );
}
