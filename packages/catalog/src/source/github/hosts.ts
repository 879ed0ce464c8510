/** URLs of one GitHub server. When the catalog reads templates, it sends requests only to these URLs. */
export interface GitHubHosts {
  rest: string;
  graphql: string;
  /** Returns whether requests to this URL are allowed. Redirects to other origins are refused. */
  allows(url: URL): boolean;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Derives the URLs of a GitHub server from the URL of its REST API. The REST URL is `https://api.github.com`,
 * `https://api.<name>.ghe.com` or `https://<host>/api/v3`. The last form means GitHub Enterprise Server, whose GraphQL
 * path is `/api/graphql`.
 * @throws TypeError if the URL is an unencrypted `http` URL of another machine
 */
export function gitHubHosts(baseUrl: string): GitHubHosts {
  const base = new URL(baseUrl);
  const local = LOOPBACK.test(base.hostname);
  if (base.protocol !== 'https:' && !(base.protocol === 'http:' && local)) {
    throw new TypeError(`The address of GitHub must begin with https:// to protect the token: ${base.origin}`);
  }
  const rest = `${base.origin}${base.pathname}`.replace(/\/+$/, '');
  const origins = new Set([base.origin, ...(local ? [] : [rawOrigin(base.hostname)])]);
  return {
    rest,
    graphql: rest.replace(/\/api\/v3$/, '/api'),
    allows: (url) => origins.has(url.origin) && url.username === '' && url.password === '',
  };
}

/** Returns the origin from which a GitHub server serves file contents, such as `https://raw.githubusercontent.com`. */
function rawOrigin(hostname: string): string {
  if (hostname === 'api.github.com') return 'https://raw.githubusercontent.com';
  return `https://raw.${hostname.replace(/^api\./, '')}`;
}
