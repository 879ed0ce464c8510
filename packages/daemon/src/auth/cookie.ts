import { isSecure, type RequestFacts } from './facts.ts';

/**
 * Returns the name of the session cookie. Browsers accept a cookie with the prefix `__Host-` only from the host itself
 * and over TLS.
 */
function cookieName(secure: boolean): string {
  return secure ? '__Host-davit_session' : 'davit_session';
}

/** Returns the `Set-Cookie` header for the session cookie. If the token is `null`, the header deletes the cookie. */
export function sessionCookie(facts: RequestFacts, token: string | null, maxAgeS: number): string {
  const secure = isSecure(facts);
  const life = token === null ? 0 : maxAgeS;
  const base = `${cookieName(secure)}=${token ?? ''}; Path=/; Max-Age=${life}; HttpOnly; SameSite=Lax`;
  return secure ? `${base}; Secure` : base;
}

/**
 * Returns the session token from the cookies. If there are two session cookies, returns `undefined`, because another
 * subdomain may have set a cookie.
 */
export function sessionToken(facts: RequestFacts): string | undefined {
  const header = facts.headers.cookie;
  if (header === undefined) return undefined;
  const prefix = `${cookieName(isSecure(facts))}=`;
  const found = header
    .split(';')
    /*
     * `trim()` would also remove unusual space characters. Davit could then accept a cookie whose name starts with such
     * a character.
     */
    .map((pair) => pair.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((pair) => pair.startsWith(prefix));
  return found.length === 1 ? found[0]?.slice(prefix.length) : undefined;
}
