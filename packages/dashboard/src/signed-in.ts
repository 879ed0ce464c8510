/**
 * Stores in the browser whether a user is signed in, because scripts cannot read the session cookie. The first page can
 * then request its data before the session is checked. The server still checks every request.
 */
import { session } from './session.ts';

/** Key in the browser's local storage under which the sign-in state is stored. */
const KEPT = 'davit-signed-in';

session.subscribe(() => {
  if (session.get() === 'none') localStorage.removeItem(KEPT);
});

export function rememberSignIn(): void {
  localStorage.setItem(KEPT, 'yes');
}

/** Returns whether a user was signed in when this browser last showed the dashboard. */
export function wasSignedIn(): boolean {
  return localStorage.getItem(KEPT) !== null;
}
