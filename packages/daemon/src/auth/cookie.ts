import { isSecure, type RequestFacts } from './facts.ts';

/** Under TLS the prefix makes browsers refuse a cookie that another host or an unencrypted page has set. */
function cookieName(secure: boolean): string {
  return secure ? '__Host-davit_session' : 'davit_session';
}

/** The header that gives the browser a session; null takes it away. */
export function sessionCookie(facts: RequestFacts, token: string | null, maxAgeS: number): string {
  const secure = isSecure(facts);
  const life = token === null ? 0 : maxAgeS;
  const base = `${cookieName(secure)}=${token ?? ''}; Path=/; Max-Age=${life}; HttpOnly; SameSite=Lax`;
  return secure ? `${base}; Secure` : base;
}

/**
 * The session token of a request. Two cookies of the name are none: one of them was set by another site of the same
 * domain, and which one is not told.
 */
export function sessionToken(facts: RequestFacts): string | undefined {
  const header = facts.headers.cookie;
  if (header === undefined) return undefined;
  const prefix = `${cookieName(isSecure(facts))}=`;
  const found = header
    .split(';')
    // Browsers take off space and tab only. A name that begins with another blank is not protected by the prefix `__Host-`.
    .map((pair) => pair.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((pair) => pair.startsWith(prefix));
  return found.length === 1 ? found[0]?.slice(prefix.length) : undefined;
}
