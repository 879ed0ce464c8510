import type { Item } from './item.ts';
import { mark } from './marks.ts';
import { type Html, html } from './markup.ts';
import { type Site, templatePath } from './site.ts';
import { counted, shortNumber, time } from './words.ts';

/** Returns the HTML card of one template in a list. The whole card is a link to the template's page. */
export function card(site: Site, item: Item, now: Date): Html {
  const { owner, name, title, description, stars, verified, release } = item;
  return html`<article class="card">
<div class="head">${iconOf(site, item, 48)}
<div><h3><a href="${site.at(templatePath(owner, name))}"><bdi>${title}</bdi></a>${verified ? verifiedBadge() : ''}</h3>
<p class="owner"><bdi>${owner}/${name}</bdi></p></div></div>
<p class="about"><bdi>${description || 'No description.'}</bdi></p>
<p class="facts"><span class="stars">${mark('star')}<span aria-hidden="true">${shortNumber(stars)}</span><span class="hidden">${counted(stars, 'star')}</span></span>
<span class="tag"><bdi>${release.tag}</bdi></span><span class="when">${time(release.published_at, now)}</span></p>
</article>`;
}

/**
 * Returns the HTML of a template's icon. The `alt` text is empty, because the title beside the icon already names the
 * template.
 */
export function iconOf(site: Site, { icon_path }: Item, side: number): Html {
  return html`<img class="icon" src="${site.at(icon_path)}" alt="" width="${side}" height="${side}" loading="${side > 48 ? 'eager' : 'lazy'}" decoding="async">`;
}

export function verifiedBadge(): Html {
  return html`<span class="verified" title="The operator of this catalog has verified this owner">${mark('verified')}Verified</span>`;
}
