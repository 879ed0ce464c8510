import { DavitError } from '@davit/api';
import { createStore } from './util/store.ts';

/**
 * `over`: it was there, and the instance does not take it any more; the page stays until somebody signs in again. `none`:
 * nobody is signed in, and everybody knows.
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

/** How often this page got a new session. */
export const signIns = createStore(0);

/** This page got a new session: somebody signed in, maybe somebody else than before, or the password was changed. */
export function sessionHasBegun(): void {
  session.set('here');
  signIns.set(signIns.get() + 1);
}

/** Where a sign-in leads back to: an address of the dashboard, whatever stands in the query. */
export function returnAddress(asked: unknown): string {
  const base = 'http://davit.invalid';
  if (typeof asked !== 'string' || !asked.startsWith('/') || !URL.canParse(asked, base)) return '/';
  const { origin, pathname, search, hash } = new URL(asked, base);
  if (origin !== base || pathname.startsWith('//')) return '/';
  if (pathname === '/sign-in' || pathname === '/claim' || pathname.startsWith('/api/')) return '/';
  return `${pathname}${search}${hash}`;
}
