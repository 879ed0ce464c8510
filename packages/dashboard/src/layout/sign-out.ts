import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import { account } from '../account.ts';
import { leaveTabs } from '../live/live.ts';
import { paths } from '../paths.ts';
import { isSignedOut, sessionIsNone } from '../session.ts';
import { forgetVisits } from './visits.ts';

/**
 * Ends the session and leaves nothing of what it has read, in no tab.
 * @param to where who signs in next is led back to; absent: to the overview
 * @throws DavitError when the instance cannot be told: the session goes on
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
