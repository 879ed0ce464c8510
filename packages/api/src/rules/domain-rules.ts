/**
 * Rules that compare the paths, redirects and headers of domains. The instance checks them, and `davit up` checks them
 * before its first change. This module loads no schemas.
 */

/** Reason why a URL path is invalid, as the end of a sentence, such as `must begin with “/”`. */
export interface NoPath {
  problem: string;
}

const LONGEST_PATH = 255;
/**
 * Characters that are allowed in the URL path of a domain. All HTTP clients and servers interpret these characters
 * alike. `;` is not allowed, because some servers read the text after `;` as path parameters.
 */
const PATH = /^[\w.~@:+=!$&(),*/-]*$/;

/**
 * Normalizes a URL path for comparison. The result has no slash at the end and no percent-encoding. For `null` and `/`,
 * which match every path, the result is an empty string.
 */
export function normalizePath(input: string | null): string | NoPath {
  if (input === null) return '';
  if (!input.startsWith('/')) return { problem: 'must begin with “/”' };
  const path = input
    .replaceAll(/%[0-9A-Fa-f]{2}/g, (escape) => {
      const letter = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
      return letter !== '/' && PATH.test(letter) ? letter : escape;
    })
    .replace(/\/+$/, '');
  if (!PATH.test(path))
    return {
      problem: 'must not contain a query, and may contain only slashes, ASCII letters, digits and “-._~@:+=!$&(),*”',
    };
  if (path.split('/').some((part) => part === '.' || part === '..'))
    return { problem: 'must not contain the segments “.” or “..”' };
  if (path.includes('//')) return { problem: 'must not contain “//”' };
  return path.length <= LONGEST_PATH ? path : { problem: `must have at most ${LONGEST_PATH} characters` };
}

/** Normalized host and path of a domain, and the normalized host to which it redirects requests. */
export interface Redirecting {
  host: string;
  path: string;
  redirect_to: string | null;
}

/** Returns whether two domains form a chain: `next` redirects a request again that `first` has redirected. */
export function isRedirectChain(first: Redirecting, next: Redirecting): boolean {
  return first.redirect_to === next.host && next.redirect_to !== null && pathsOverlap(first.path, next.path);
}

/** Returns whether a request can match both paths. */
function pathsOverlap(a: string, b: string): boolean {
  return `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
}

/** Returns the first header name that repeats an earlier one. Header names are case-insensitive. */
export function repeatedHeader(headers: object): string | undefined {
  const seen = new Set<string>();
  return Object.keys(headers).find((name) => {
    const lower = name.toLowerCase();
    const isRepeated = seen.has(lower);
    seen.add(lower);
    return isRepeated;
  });
}
