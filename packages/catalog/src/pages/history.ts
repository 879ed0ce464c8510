import type { ReleaseRecord } from '../store/types.ts';
import { byLine, diagnosticCard, positionOf, tally } from './diagnostic.ts';
import { mark } from './marks.ts';
import { type Html, html, outward } from './markup.ts';
import type { Site } from './site.ts';
import { counted, number, time } from './words.ts';

/**
 * Maximum number of releases on a template page, and maximum number of problems for each release. The API has no such
 * limits.
 */
const SHOWN = { releases: 40, problems: 30 };

export interface HistoryView {
  releases: readonly ReleaseRecord[];
  /**
   * Git tag and commit of the release that the catalog lists. `null` if the catalog lists no release of the template.
   */
  listed: { tag: string; commit: string } | null;
  /** Path of the API route that returns all releases of the template as JSON. */
  json: string;
  now: Date;
}

/** Returns the HTML list of all checked releases of a template with their problems, newest first. */
export function historyView(site: Site, { releases, listed, json, now }: HistoryView): Html {
  const left = releases.length - SHOWN.releases;
  // If the newest release was refused, its problems are expanded, because template authors want to see the reason.
  return html`<ol class="releases">${releases.slice(0, SHOWN.releases).map((release, at) =>
    entry(site, release, {
      now,
      isListed: release.tag === listed?.tag && release.commit === listed.commit,
      isOpen: at === 0,
    }),
  )}</ol>
${left > 0 ? html`<p><a href="${site.at(json)}">${counted(left, 'older release')} as JSON</a></p>` : ''}`;
}

function entry(
  site: Site,
  release: ReleaseRecord,
  { now, isListed, isOpen }: { now: Date; isListed: boolean; isOpen: boolean },
): Html {
  const { tag, name, url, commit, publishedAt, status, problems } = release;
  const isRefused = status === 'rejected';
  const file = fileOf(release);
  return html`<li class="release ${status}">
<p class="line"><span class="tag">${outward(url, html`<bdi>${tag}</bdi>`)}</span>
<span class="status">${mark(isRefused ? 'error' : 'good')}${isRefused ? 'Refused' : 'Accepted'}</span>
${isListed ? html`<span class="current">Listed</span>` : ''}
<span class="when">${time(publishedAt, now)}</span> <code class="commit">${commit.slice(0, 10)}</code></p>
${name && name !== tag ? html`<p class="name"><bdi>${name}</bdi></p>` : ''}
${
  problems.length > 0
    ? html`<details${isRefused && isOpen ? html` open` : ''}><summary>${isRefused ? `Why: ${tally(problems)}` : tally(problems)}</summary>
${byLine(problems)
  .slice(0, SHOWN.problems)
  .map((problem) => diagnosticCard(site, problem, positionOf(problem, file)))}
${problems.length > SHOWN.problems ? html`<p>And ${number(problems.length - SHOWN.problems)} more.</p>` : ''}</details>`
    : ''
}
</li>`;
}

/**
 * Returns the URL of a release's template file on GitHub. Callers can append a line number to the URL. Returns `null`
 * if the release is not on GitHub.
 */
function fileOf({ url, commit }: ReleaseRecord): string | null {
  const end = url.lastIndexOf('/releases/tag/');
  return end < 0 ? null : `${url.slice(0, end)}/blob/${commit}/template.yaml`;
}
