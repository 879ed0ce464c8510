/** Git repository and commit of a README. Relative URLs in the README refer to files of this commit. */
export interface ReadmeLocation {
  /** URL of the Git repository's web page on GitHub. */
  url: string;
  owner: string;
  name: string;
  /** Full SHA of the commit. */
  commit: string;
}

/**
 * Host of README images. The Content-Security-Policy of all web pages allows images only from this host and from the
 * catalog.
 */
export const IMAGE_HOST = 'https://raw.githubusercontent.com';

/**
 * Matches the path of a file's URL on GitHub's web site: `/owner/name/blob/ref/path`. The part `raw` instead of `blob`
 * means the file content.
 */
const HOSTED_FILE = /^\/([^/]+)\/([^/]+)\/(?:blob|raw)\/(.+)$/;

/**
 * Returns the URL for a link of a README. A relative link leads to a file of the same commit. Returns `null` if the
 * link is not allowed.
 */
export function linkOf(location: ReadmeLocation, written: string): string | null {
  const href = plain(written);
  if (href.startsWith('#')) return `#${headingId(decoded(href.slice(1)))}`;
  const url = resolved(href, `${location.url.replace(/\/+$/, '')}/blob/${location.commit}/`);
  return url && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
}

/** Returns the URL for an image of a README. Returns `null` if the web page must not load the image. */
export function imageOf(location: ReadmeLocation, written: string): string | null {
  const base = `${IMAGE_HOST}/${location.owner}/${location.name}/${location.commit}/`;
  const url = resolved(plain(written), base);
  if (!url || url.username || url.password) return null;
  if (url.origin === IMAGE_HOST) return url.href;
  const [, owner, name, rest] = (url.hostname === 'github.com' && HOSTED_FILE.exec(url.pathname)) || [];
  return rest ? `${IMAGE_HOST}/${owner}/${name}/${rest}` : null;
}

/**
 * Creates the id of a README heading from the heading's text. The prefix prevents conflicts with other ids on the web
 * page.
 */
export function headingId(text: string): string {
  const slug = text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
  return `readme-${slug.slice(0, 100)}`;
}

/** Removes characters that browsers ignore in URLs. Otherwise, the URL check would not detect `java\nscript:`. */
function plain(written: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters
  return written.replace(/[\u0000-\u0020\u007f-\u00a0]/g, (found) => (found === ' ' ? ' ' : '')).trim();
}

/**
 * Resolves a URL of a README in the same way as GitHub. A path with a leading slash starts at the root of the Git
 * repository.
 */
function resolved(href: string, base: string): URL | null {
  const relative = href.startsWith('/') && !href.startsWith('//') ? href.slice(1) : href;
  const isBelow = !/^([a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(relative);
  const url = URL.parse(relative, base);
  // Returns `null` if a URL contains too many `..` parts, because such a URL would lead to another Git repository.
  return url && isBelow && !url.href.startsWith(base) ? null : url;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
