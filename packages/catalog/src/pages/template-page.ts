import type { Diagnostic, Manifest } from '@davit/template';
import { iconOf, verifiedBadge } from './card.ts';
import { createsView } from './creates.ts';
import { tally } from './diagnostic.ts';
import { type HistoryView, historyView } from './history.ts';
import { inputsView } from './inputs.ts';
import type { Item } from './item.ts';
import { layout } from './layout.ts';
import { mark } from './marks.ts';
import { type Html, html, outward, trusted } from './markup.ts';
import type { Rendered } from './readme/readme.ts';
import { listingPath, type Site } from './site.ts';
import { sourceView } from './source-view.ts';
import { counted, number, time } from './words.ts';

export interface TemplateView {
  item: Item;
  manifest: Manifest;
  /** Content of the file `template.yaml` as the author wrote it. */
  source: string;
  problems: Diagnostic[];
  readme: Rendered;
  releases: HistoryView['releases'];
  now: Date;
}

/**
 * Returns the web page of a template. It contains the description, the resources, the inputs, the template file and the
 * releases.
 */
export function templatePage(site: Site, view: TemplateView): Html {
  const { item, manifest, source, problems, readme, releases, now } = view;
  const api = apiPath(item);
  const listed = { tag: item.release.tag, commit: item.release.commit };
  return layout(site, {
    title: item.title,
    section: null,
    description: item.description || `${item.owner}/${item.name}: a template for Davit.`,
    body: html`<div class="template">
${head(site, view)}
<div class="columns"><div class="contents">
${section('readme', 'About', readmeView(readme, item.title))}
${section('creates', 'Resources to create', createsView(manifest))}
${section('asks', 'Inputs', inputsView(manifest.inputs))}
${section('file', 'template.yaml', html`<p class="said-in-all">${problems.length > 0 ? `The check of this release found ${tally(problems)}.` : 'The check of this release found no problems.'}</p>${sourceView(site, source, problems)}`)}
${section('releases', 'Releases', historyView(site, { releases, listed, json: `${api}/releases`, now }))}
</div>${aside(site, view)}</div></div>`,
  });
}

/** Returns the path of a template in the catalog API. */
export function apiPath({ owner, name }: Pick<Item, 'owner' | 'name'>): string {
  return `/api/v1/templates/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
}

export function section(id: string, title: string, contents: Html): Html {
  return html`<section class="part" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${contents}</section>`;
}

function head(site: Site, { item, now }: TemplateView): Html {
  const { owner, name, title, description, url, stars, tags, verified, release } = item;
  return html`<header class="head">${iconOf(site, item, 88)}
<div><h1><bdi>${title}</bdi>${verified ? verifiedBadge() : ''}</h1>
<p class="owner">${outward(url, html`<bdi>${owner}/${name}</bdi>`)}</p>
${description ? html`<p class="lead"><bdi>${description}</bdi></p>` : ''}
<p class="facts"><span class="stars">${mark('star')}${number(stars)}<span class="hidden"> ${stars === 1 ? 'star' : 'stars'}</span></span>
<span class="tag">${outward(release.url, html`<bdi>${release.tag}</bdi>`)}</span><span class="when">${time(release.published_at, now)}</span></p>
${tags.length > 0 ? html`<ul class="chips">${tags.map((tag) => html`<li><a class="chip" href="${site.at(listingPath({ tag }))}"><bdi>${tag}</bdi></a></li>`)}</ul>` : ''}
</div></header>`;
}

function aside(site: Site, { item, manifest, problems, releases }: TemplateView): Html {
  const { owner, name, url, release } = item;
  const api = apiPath(item);
  const repository = url.replace(/\/+$/, '');
  const refused = releases.filter(({ status }) => status === 'rejected').length;
  return html`<aside class="beside" aria-label="Install and links">
<div class="box install"><div class="title"><h2>Install</h2><button type="button" class="small" data-copy="command" hidden>Copy</button></div>
<div class="command" tabindex="0" role="region" aria-label="Command"><code id="command"><span>davit template install</span> <span>${owner}/${name}</span></code></div>
<p>${manifest.inputs.length === 0 ? 'It has no inputs.' : html`It has <a href="#asks">${counted(manifest.inputs.length, 'input')}</a> and creates <a href="#creates">these resources</a>.`}</p></div>
<nav class="box" aria-label="On this page"><h2>On this page</h2><ul>
<li><a href="#readme">About</a></li><li><a href="#creates">Resources to create</a></li><li><a href="#asks">Inputs</a></li>
<li><a href="#file">template.yaml</a>${problems.length > 0 ? html` <span class="soft">${tally(problems)}</span>` : ''}</li>
<li><a href="#releases">Releases</a> <span class="soft">${number(releases.length)}${refused > 0 ? `, ${number(refused)} not valid` : ''}</span></li></ul></nav>
<div class="box"><h2>Links</h2><ul>
<li>${outward(repository, 'Repository')}</li>
<li>${outward(`${repository}/tree/${release.commit}`, html`Files at commit <code>${release.commit.slice(0, 10)}</code>`)}</li>
<li>${outward(`${repository}/blob/${release.commit}/template.yaml`, 'template.yaml at that commit')}</li>
<li><a href="${site.at(`${api}/manifest`)}">Manifest as JSON</a></li>
<li><a href="${site.at(`${api}/releases`)}">Releases as JSON</a></li>
<li><a href="${site.at(api)}">All data as JSON</a></li></ul></div>
</aside>`;
}

function readmeView(readme: Rendered, title: string): Html {
  if (readme.kind === 'html') return html`<div class="readme">${trusted(withoutTitle(readme.html, title))}</div>`;
  return html`<p class="soft">The README could not be rendered in time, so its source is shown.</p>
<pre class="plain" tabindex="0">${readme.text}</pre>`;
}

/**
 * Hides the first heading of a README if the heading repeats the title of the web page. Screen readers still read the
 * heading.
 */
function withoutTitle(readme: string, title: string): string {
  const words = /^<h3 id="[^"]*">([^<]*)<\/h3>/.exec(readme)?.[1];
  return words?.trim().toLowerCase() === title.trim().toLowerCase()
    ? readme.replace('<h3', '<h3 class="hidden"')
    : readme;
}
