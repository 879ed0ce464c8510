import { DavitError } from '@davit/api';
import { createStore } from './util/store.ts';

/**
 * State of the session. `over`: the session ended while a page was open, and the page stays until the user signs in
 * again. `none`: no user is signed in.
 */
export type SessionState = 'here' | 'over' | 'none';

export const session = createStore<SessionState>('here');

export function isSignedOut(error: unknown): boolean {
  return error instanceof DavitError && error.code === 'unauthorized';
}

export function sessionIsOver(): void {
  if (session.get() === 'here') session.set('over');
}

export function sessionIsNone(): void {
  session.set('none');
}

export function sessionIsHere(): void {
  session.set('here');
}

/** Number of new sessions on this page. */
export const signIns = createStore(0);

/** Records a new session on this page, after a sign-in (possibly of a different user) or a change of the password. */
export function sessionHasBegun(): void {
  session.set('here');
  signIns.set(signIns.get() + 1);
}

/** Returns the dashboard URL to open after a sign-in. An unsafe or missing URL in the query leads to `/`. */
export function returnAddress(asked: unknown): string {
  const base = 'http://davit.invalid';
  if (typeof asked !== 'string' || !asked.startsWith('/') || !URL.canParse(asked, base)) return '/';
  const { origin, pathname, search, hash } = new URL(asked, base);
  if (origin !== base || pathname.startsWith('//')) return '/';
  if (pathname === '/sign-in' || pathname === '/claim' || pathname.startsWith('/api/')) return '/';
  return `${pathname}${search}${hash}`;
}
