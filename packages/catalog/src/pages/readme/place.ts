/** Location of a README, to which its relative URLs refer. */
export interface Place {
  /** URL of the page of the repository, as the host provides it. */
  url: string;
  owner: string;
  name: string;
  /** Complete commit id. */
  commit: string;
}

/** The only foreign host whose images a page shows. The Content-Security-Policy of every page lists this host too. */
export const IMAGE_HOST = 'https://raw.githubusercontent.com';

/** Path of a file on the web site of the host: `/owner/name/blob/ref/path`, or `raw` for the bytes. */
const HOSTED_FILE = /^\/([^/]+)\/([^/]+)\/(?:blob|raw)\/(.+)$/;

/**
 * Returns the target of a link of a README, or `null` if a page must not link to it. Relative URLs lead to the
 * repository at the commit, and `#part` leads to a heading of the README.
 */
export function linkOf(place: Place, written: string): string | null {
  const href = plain(written);
  if (href.startsWith('#')) return `#${headingId(decoded(href.slice(1)))}`;
  const url = resolved(href, `${place.url.replace(/\/+$/, '')}/blob/${place.commit}/`);
  return url && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
}

/** Returns the URL of an image that a page may show, or `null` if the page must not embed the image. */
export function imageOf(place: Place, written: string): string | null {
  const base = `${IMAGE_HOST}/${place.owner}/${place.name}/${place.commit}/`;
  const url = resolved(plain(written), base);
  if (!url || url.username || url.password) return null;
  if (url.origin === IMAGE_HOST) return url.href;
  const [, owner, name, rest] = (url.hostname === 'github.com' && HOSTED_FILE.exec(url.pathname)) || [];
  return rest ? `${IMAGE_HOST}/${owner}/${name}/${rest}` : null;
}

/** Returns the id of a heading from its text. The prefix prevents a README from using an id of the page. */
export function headingId(text: string): string {
  const slug = text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
  return `readme-${slug.slice(0, 100)}`;
}

/** Removes the characters that browsers ignore in URLs, so that `java\nscript:` is checked as browsers read it. */
function plain(written: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  return written.replace(/[\u0000-\u0020\u007f-\u00a0]/g, (found) => (found === ' ' ? ' ' : '')).trim();
}

/**
 * Resolves a URL as the web site of the host does: a path with a leading slash starts at the root of the repository.
 */
function resolved(href: string, base: string): URL | null {
  const relative = href.startsWith('/') && !href.startsWith('//') ? href.slice(1) : href;
  const isBelow = !/^([a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(relative);
  const url = URL.parse(relative, base);
  // Too many `..` parts would lead out of the repository into another repository of the same host.
  return url && isBelow && !url.href.startsWith(base) ? null : url;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The text is not a valid escape sequence, so it is used unchanged.
    return text;
  }
}
