import { isSecure, type RequestFacts } from './facts.ts';

/**
 * Returns the session cookie's name. With `__Host-`, browsers accept the cookie only from the host itself and over TLS.
 */
function cookieName(secure: boolean): string {
  return secure ? '__Host-davit_session' : 'davit_session';
}

/** Returns the `Set-Cookie` header for the session cookie. A token of `null` deletes the cookie. */
export function sessionCookie(facts: RequestFacts, token: string | null, maxAgeS: number): string {
  const secure = isSecure(facts);
  const life = token === null ? 0 : maxAgeS;
  const base = `${cookieName(secure)}=${token ?? ''}; Path=/; Max-Age=${life}; HttpOnly; SameSite=Lax`;
  return secure ? `${base}; Secure` : base;
}

/**
 * Returns the session token from the cookies. Returns `undefined` for two session cookies, because one of them comes
 * from another subdomain.
 */
export function sessionToken(facts: RequestFacts): string | undefined {
  const header = facts.headers.cookie;
  if (header === undefined) return undefined;
  const prefix = `${cookieName(isSecure(facts))}=`;
  const found = header
    .split(';')
    // `trim()` would also remove unusual spaces. A cookie whose name starts with such a space could then be accepted.
    .map((pair) => pair.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((pair) => pair.startsWith(prefix));
  return found.length === 1 ? found[0]?.slice(prefix.length) : undefined;
}
