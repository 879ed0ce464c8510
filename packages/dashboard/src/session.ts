import { DavitError } from '@davit/api';
import { createStore } from './util/store.ts';

/** `over`: it was there, and the instance does not take it any more; the page stays until somebody signs in again. */
export type SessionState = 'here' | 'over';

export const session = createStore<SessionState>('here');

export function isSignedOut(error: unknown): boolean {
  return error instanceof DavitError && error.code === 'unauthorized';
}

export function sessionIsOver(): void {
  session.set('over');
}

export function sessionIsHere(): void {
  session.set('here');
}
