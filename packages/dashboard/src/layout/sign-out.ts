import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import { account } from '../account.ts';
import { leaveTabs } from '../live/live.ts';
import { paths } from '../paths.ts';
import { isSignedOut, sessionIsNone } from '../session.ts';
import { forgetVisits } from './visits.ts';

/**
 * Signs the user out in all tabs and removes cached data. The next sign-in opens the URL `to`.
 * @throws DavitError if the server is unreachable; the user stays signed in
 */
export async function signOut(queries: QueryClient, router: AnyRouter, to?: string): Promise<void> {
  await account.signOut().catch((error) => {
    if (!isSignedOut(error)) throw error;
  });
  sessionIsNone();
  leaveTabs();
  await router.navigate({ to: paths.signIn(), search: to === undefined ? {} : { to } });
  queries.clear();
  forgetVisits();
}
