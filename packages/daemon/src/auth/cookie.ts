import { isSecure, type RequestFacts } from './facts.ts';

/**
 * Returns the name of the session cookie. Because of the prefix under TLS, browsers reject a cookie that another host
 * or an unencrypted page has set.
 */
function cookieName(secure: boolean): string {
  return secure ? '__Host-davit_session' : 'davit_session';
}

/** Returns the header that sets the session cookie. With `null`, the header removes the cookie. */
export function sessionCookie(facts: RequestFacts, token: string | null, maxAgeS: number): string {
  const secure = isSecure(facts);
  const life = token === null ? 0 : maxAgeS;
  const base = `${cookieName(secure)}=${token ?? ''}; Path=/; Max-Age=${life}; HttpOnly; SameSite=Lax`;
  return secure ? `${base}; Secure` : base;
}

/**
 * Returns the session token of a request. Two cookies with this name are ignored, because another site of the domain
 * has set either of them.
 */
export function sessionToken(facts: RequestFacts): string | undefined {
  const header = facts.headers.cookie;
  if (header === undefined) return undefined;
  const prefix = `${cookieName(isSecure(facts))}=`;
  const found = header
    .split(';')
    // Browsers trim only spaces and tabs. A name that begins with another blank character is not protected by the
    // prefix `__Host-`.
    .map((pair) => pair.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((pair) => pair.startsWith(prefix));
  return found.length === 1 ? found[0]?.slice(prefix.length) : undefined;
}
