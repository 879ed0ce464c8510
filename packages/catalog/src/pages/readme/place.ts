/** Where a README stands: what its relative addresses are relative to. */
export interface Place {
  /** The repository's page on its host, as the host tells it. */
  url: string;
  owner: string;
  name: string;
  /** The whole commit id. */
  commit: string;
}

/** The one foreign host whose images a page shows; the policy of every page names it too. */
export const IMAGE_HOST = 'https://raw.githubusercontent.com';

/** A file on the source host's site: `/owner/name/blob/ref/path`, or `raw` for the bytes. */
const HOSTED_FILE = /^\/([^/]+)\/([^/]+)\/(?:blob|raw)\/(.+)$/;

/**
 * Where a link of a README leads: relative addresses go to the repository at the commit, `#part` to a heading of the
 * README. Null: it leads nowhere that a page may link to.
 */
export function linkOf(place: Place, written: string): string | null {
  const href = plain(written);
  if (href.startsWith('#')) return `#${headingId(decoded(href.slice(1)))}`;
  const url = resolved(href, `${place.url.replace(/\/+$/, '')}/blob/${place.commit}/`);
  return url && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
}

/** The address of an image that a page may show; null: it can only be linked to, or not even that. */
export function imageOf(place: Place, written: string): string | null {
  const base = `${IMAGE_HOST}/${place.owner}/${place.name}/${place.commit}/`;
  const url = resolved(plain(written), base);
  if (!url || url.username || url.password) return null;
  if (url.origin === IMAGE_HOST) return url.href;
  const [, owner, name, rest] = (url.hostname === 'github.com' && HOSTED_FILE.exec(url.pathname)) || [];
  return rest ? `${IMAGE_HOST}/${owner}/${name}/${rest}` : null;
}

/** The id of a heading by its text: in a name space of its own, so that no README can take a name of the page. */
export function headingId(text: string): string {
  const slug = text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
  return `readme-${slug.slice(0, 100)}`;
}

/** An address without what browsers skip in it, so that `java\nscript:` is judged as they would read it. */
function plain(written: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  return written.replace(/[\u0000-\u0020\u007f-\u00a0]/g, (found) => (found === ' ' ? ' ' : '')).trim();
}

/** Resolves as a host's site does: a path from the root means the root of the repository. */
function resolved(href: string, base: string): URL | null {
  const relative = href.startsWith('/') && !href.startsWith('//') ? href.slice(1) : href;
  const isBelow = !/^([a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(relative);
  const url = URL.parse(relative, base);
  // Too many `..` would lead out of the repository, into any other of the same host.
  return url && isBelow && !url.href.startsWith(base) ? null : url;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // No escape at all: it is meant as it is written.
    return text;
  }
}
