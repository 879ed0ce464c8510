/** GitHub owner that the catalog marks as verified. */
export interface VerifiedOwner {
  /** Name of the GitHub owner as the operator configured it. Comparisons ignore case. */
  owner: string;
  /** GitHub's numeric id of the verified owner. If `null`, the catalog recognizes the owner only by name. */
  id: number | null;
}

const MOST_VERIFIED = 2;
const OWNER = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,37}[A-Za-z0-9])?$/;
const TOPIC = /^[a-z0-9][a-z0-9-]{0,49}$/;

/** Parses a list of GitHub topics and removes duplicates. Returns `null` if a topic is invalid or the list is empty. */
export function parseTopics(text: string): string[] | null {
  const topics = partsOf(text);
  return topics.length > 0 && topics.every((topic) => TOPIC.test(topic)) ? [...new Set(topics)] : null;
}

/**
 * Parses a list of at most two GitHub owners in the form `owner` or `owner:id`. Returns `null` if the text is invalid.
 */
export function parseOwners(text: string): VerifiedOwner[] | null {
  const owners = partsOf(text).map(parseOwner);
  const known = owners.filter((one) => one !== null);
  const names = new Set(known.map(({ owner }) => owner.toLowerCase()));
  return known.length === owners.length && names.size === known.length && names.size <= MOST_VERIFIED ? known : null;
}

/**
 * Parses an HTTP or HTTPS URL and removes trailing slashes. Returns `null` if the URL is invalid, or contains a query,
 * a fragment or credentials.
 */
export function parseUrl(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') return null;
  if (url.username !== '' || url.password !== '') return null;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/**
 * Parses the URL of a server to which the catalog sends the GitHub token. Returns `null` if the URL is invalid. Also
 * returns `null` for an unencrypted `http` URL of another machine.
 */
export function parseTokenUrl(text: string): string | null {
  const url = parseUrl(text);
  return url?.startsWith('https:') || /^http:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?:[:/]|$)/.test(url ?? '')
    ? url
    : null;
}

function parseOwner(text: string): VerifiedOwner | null {
  const [owner = '', id, ...more] = text.split(':').map((part) => part.trim());
  if (!OWNER.test(owner) || more.length > 0) return null;
  if (id === undefined) return { owner, id: null };
  return /^[1-9]\d{0,14}$/.test(id) ? { owner, id: Number(id) } : null;
}

function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
