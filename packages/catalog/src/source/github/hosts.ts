/** Where one GitHub answers, and the only addresses that are ever asked for it. */
export interface GitHubHosts {
  /** What paths of the REST API are put behind. */
  rest: string;
  /** What `/graphql` is put behind. */
  graphql: string;
  /** Whether a request may go to that address: a redirect may lead to no other. */
  allows(url: URL): boolean;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Derives the other addresses from that of the REST API: `https://api.github.com`, `https://api.<name>.ghe.com`, or
 * `https://<host>/api/v3` of an Enterprise Server, whose GraphQL is at `/api/graphql`.
 * @throws TypeError for an address without TLS that is not of this machine
 */
export function gitHubHosts(baseUrl: string): GitHubHosts {
  const base = new URL(baseUrl);
  const local = LOOPBACK.test(base.hostname);
  if (base.protocol !== 'https:' && !(base.protocol === 'http:' && local)) {
    throw new TypeError(
      `The address of GitHub must begin with https://, or a token could be read on its way: ${base.origin}`,
    );
  }
  const rest = `${base.origin}${base.pathname}`.replace(/\/+$/, '');
  const origins = new Set([base.origin, ...(local ? [] : [rawOrigin(base.hostname)])]);
  return {
    rest,
    graphql: rest.replace(/\/api\/v3$/, '/api'),
    allows: (url) => origins.has(url.origin) && url.username === '' && url.password === '',
  };
}

/** Where files are served as they are. */
function rawOrigin(hostname: string): string {
  if (hostname === 'api.github.com') return 'https://raw.githubusercontent.com';
  return `https://raw.${hostname.replace(/^api\./, '')}`;
}
