import { LONGEST_SEARCH } from '@davit/api/catalog/limits.ts';
import type { Sort } from '../store/types.ts';
import { card } from './card.ts';
import type { Item } from './item.ts';
import { layout } from './layout.ts';
import { mark } from './marks.ts';
import { type Html, html } from './markup.ts';
import { listingPath, type Site } from './site.ts';
import { counted } from './words.ts';

/** Search text, topic and sort order as the user entered them. */
export interface Sought {
  q: string;
  tag: string;
  sort: Sort;
  /** Whether this is not the first page of the search results. */
  continued: boolean;
}

export interface ListingView {
  sought: Sought;
  items: Item[];
  /** Pagination cursor of the next page, or `null` on the last page. */
  next: string | null;
  tags: string[];
  /** Total number of templates in the catalog. */
  count: number;
  now: Date;
}

const SORTS: [sort: Sort, words: string][] = [
  ['recent', 'Newest release'],
  ['stars', 'Most stars'],
];
/**
 * Limits for topics on the template list page. The page shows the `first` topics directly, and at most `all` topics. If
 * there are more than `few` further topics, an expandable list contains them.
 */
const TAGS = { first: 16, few: 6, all: 500 };

/** Returns the web page with the template list. It contains the search form and one page of templates. */
export function listingPage(site: Site, view: ListingView): Html {
  const { sought, items, count } = view;
  const { q, tag } = sought;
  const title = q ? `Templates for ${q}` : tag ? `Templates tagged ${tag}` : 'Templates';
  return layout(site, {
    title,
    section: 'templates',
    description: 'Apps to install on your own server. The catalog checks every release.',
    hidden: q !== '' || sought.continued,
    body: html`<div class="intro"><h1>Apps for your own server</h1>
<p class="lead">${count === 0 ? '' : count === 1 ? 'One template. ' : `${counted(count, 'template')}. `}The catalog checks every release of a template.</p></div>
${searchForm(site, sought)}
${tagChips(site, sought, view.tags)}
${sorting(site, view)}
${items.length === 0 ? nothing(site, view) : html`<ul class="cards">${items.map((item) => html`<li>${card(site, item, view.now)}</li>`)}</ul>`}
${turning(site, view)}`,
  });
}

/**
 * Returns the HTML search form with the entered values. The template list page and the error page for an invalid search
 * contain this form.
 */
export function searchForm(site: Site, { q, tag, sort }: Pick<Sought, 'q' | 'tag' | 'sort'>): Html {
  return html`<form class="search" role="search" action="${site.at('/')}" method="get">
<label class="hidden" for="q">Search by name or description</label>
<span class="field">${mark('search')}<input id="q" name="q" type="search" value="${q}" maxlength="${LONGEST_SEARCH}" placeholder="Search by name or description" autocomplete="off" spellcheck="false"></span>
${tag ? html`<input type="hidden" name="tag" value="${tag}">` : ''}${sort === 'recent' ? '' : html`<input type="hidden" name="sort" value="${sort}">`}
<button type="submit">Search</button>
</form>`;
}

function tagChips(site: Site, sought: Sought, tags: string[]): Html | string {
  if (tags.length === 0 && !sought.tag) return '';
  // An expandable list with only a few topics would save no space. In this case, all topics are visible.
  const at = tags.length <= TAGS.first + TAGS.few ? tags.length : TAGS.first;
  const first = tags.slice(0, at);
  const others = tags.slice(at, TAGS.all);
  // The selected topic is always visible, because the user can click it again to remove the filter.
  const shown = sought.tag && !first.includes(sought.tag) ? [sought.tag, ...first] : first;
  const left = tags.length - TAGS.all;
  return html`<nav class="tags" aria-label="Tags"><ul class="chips">${shown.map((tag) => chip(site, sought, tag))}</ul>
${
  others.length > 0
    ? html`<details><summary>${counted(others.length, 'more tag')}</summary><ul class="chips">${others.map((tag) => chip(site, sought, tag))}</ul>
${left > 0 ? html`<p><a href="${site.at('/api/v1/tags')}">All ${tags.length} tags</a></p>` : ''}</details>`
    : ''
}</nav>`;
}

function chip(site: Site, { q, sort, tag: chosen }: Sought, tag: string): Html {
  const isChosen = tag === chosen;
  const href = listingPath({ q, tag: isChosen ? '' : tag, sort: sort === 'recent' ? '' : sort });
  return html`<li><a class="chip" href="${site.at(href)}"${isChosen ? html` aria-current="true"` : ''}><bdi>${tag}</bdi>${
    isChosen
      ? html`<span class="take-back"><span aria-hidden="true">×</span><span class="hidden">, remove the filter</span></span>`
      : ''
  }</a></li>`;
}

function sorting(site: Site, { sought, items }: ListingView): Html {
  const { q, tag, sort } = sought;
  const about = [q && `for “${q}”`, tag && `tagged “${tag}”`].filter(Boolean).join(' ');
  return html`<div class="order"><h2>${about ? html`Templates <bdi>${about}</bdi>` : 'All templates'}</h2>
${
  items.length === 0
    ? ''
    : html`<nav aria-label="Order"><ul class="switch">${SORTS.map(
        ([each, words]) =>
          html`<li><a href="${site.at(listingPath({ q, tag, sort: each === 'recent' ? '' : each }))}"${
            each === sort ? html` aria-current="true"` : ''
          }>${words}</a></li>`,
      )}</ul></nav>`
}</div>`;
}

function nothing(site: Site, { sought, count }: ListingView): Html {
  const { q, tag, continued } = sought;
  if (continued) {
    const first = listingPath({ q, tag, sort: sought.sort });
    return html`<div class="empty"><h3>No more templates</h3><p>This is the end of the list. <a href="${site.at(first)}">Back to the first page</a></p></div>`;
  }
  if (count === 0) {
    return html`<div class="empty"><h3>No templates yet</h3>
<p>The catalog lists repositories that publish a <code>template.yaml</code>, a <code>README.md</code> and an <code>icon.png</code> in a release. <a href="${site.at('/check')}">Check a file</a></p></div>`;
  }
  return html`<div class="empty"><h3>Nothing was found${q ? html` for <bdi>“${q}”</bdi>` : ''}</h3>
<p>The search finds names and descriptions that contain exactly the text that you enter. Try fewer letters${
    tag ? html`, <a href="${site.at(listingPath({ q }))}">remove the tag <bdi>${tag}</bdi></a>` : ''
  }, or <a href="${site.at('/')}">browse all templates</a>.</p></div>`;
}

function turning(site: Site, { sought, next }: ListingView): Html | string {
  const { q, tag, sort, continued } = sought;
  const parameters = { q, tag, sort: sort === 'recent' ? '' : sort };
  if (!next && !continued) return '';
  return html`<nav class="turn" aria-label="Pages">${
    continued ? html`<a href="${site.at(listingPath(parameters))}">First page</a>` : ''
  }${next ? html`<a class="next" rel="next" href="${site.at(listingPath({ ...parameters, cursor: next }))}">Next page</a>` : ''}</nav>`;
}
