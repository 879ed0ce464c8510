import { DavitError } from '@davit/api';
import { createStore } from './util/store.ts';

/**
 * State of the sign-in. `here` means signed in. `over` means that the session expired while a page was open, so the
 * page asks for the password.
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

/** Number of sign-ins and password changes since the page was loaded. */
export const signIns = createStore(0);

/**
 * Updates the session state after a sign-in or a password change, because both start a new session. After a sign-in,
 * the new session may belong to another user.
 */
export function sessionHasBegun(): void {
  session.set('here');
  signIns.set(signIns.get() + 1);
}

/** Returns the dashboard URL to open after a sign-in. A missing, external or unsafe URL is replaced with `/`. */
export function returnAddress(requested: unknown): string {
  const base = 'http://davit.invalid';
  if (typeof requested !== 'string' || !requested.startsWith('/') || !URL.canParse(requested, base)) return '/';
  const { origin, pathname, search, hash } = new URL(requested, base);
  if (origin !== base || pathname.startsWith('//')) return '/';
  if (pathname === '/sign-in' || pathname === '/claim' || pathname.startsWith('/api/')) return '/';
  return `${pathname}${search}${hash}`;
}
