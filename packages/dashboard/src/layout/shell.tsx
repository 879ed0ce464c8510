import { DavitError } from '@davit/api';
import type { QueryClient } from '@tanstack/react-query';
import { Outlet, redirect } from '@tanstack/react-router';
import { type ReactNode, Suspense, useDeferredValue, useEffect, useState } from 'react';
import { query, queryClient } from '../api.ts';
import { startLive } from '../live/live.ts';
import { paths } from '../paths.ts';
import { isSignedOut, session, sessionIsNone } from '../session.ts';
import { rememberSignIn, wasSignedIn } from '../signed-in.ts';
import { beginContent, contentIsShown } from '../util/first-page.ts';
import { lazyPart } from '../util/part.ts';
import { useStore } from '../util/store.ts';
import { Arrival } from './arrival.tsx';
import { InstanceAway } from './instance-away.tsx';
import { PendingBar } from './pending-bar.tsx';
import { openSearch, Search } from './search.tsx';
import { fetchSetup } from './setup.ts';
import { Sidebar } from './sidebar.tsx';
import { SkipLink } from './skip-link.tsx';
import { TopRail } from './top-rail.tsx';

/**
 * React component of the sign-in dialog. The browser loads the component when the session expires, because most visits
 * do not need the dialog.
 */
const SessionOver = lazyPart(() => import('./session-over.tsx').then((file) => file.SessionOver));

/**
 * Fetches the signed-in user and the instance, which every page needs.
 * @throws DavitError unauthorized if no user is signed in
 */
export async function fetchFrameData(queries: QueryClient): Promise<unknown> {
  const me = query('getMe');
  /*
   * Without a session, the server would reject the requests. The browser console would show each rejected request as an
   * error.
   */
  const isKnown = wasSignedIn() || queries.getQueryData(me.queryKey) !== undefined;
  if (!isKnown && !(await fetchSetup(queries)).signed_in) throw new DavitError('unauthorized');
  return Promise.all([queries.ensureQueryData(me), queries.ensureQueryData(query('getInstance'))]);
}

/**
 * Fetches the signed-in user and the instance.
 * @param address URL to open after the sign-in
 * @throws redirect to the sign-in page, or to the setup page if there is no admin
 */
export async function loadShell(queries: QueryClient, address: string): Promise<void> {
  try {
    await fetchFrameData(queries);
    rememberSignIn();
  } catch (error) {
    if (!isSignedOut(error)) throw error;
    sessionIsNone();
    if (!(await fetchSetup(queries)).claimed) throw redirect({ to: paths.claim() });
    throw redirect({ to: paths.signIn(), search: (address === '/' ? {} : { to: address }) as never });
  }
}

/**
 * Connects to the event stream. React renders this component together with the page content. An earlier event would
 * make React start the rendering of the content again.
 */
function Live() {
  useEffect(() => {
    contentIsShown();
    startLive(queryClient);
  }, []);
  return null;
}

const CONTENT = (
  <>
    <Outlet />
    <Live />
  </>
);

/**
 * Returns the content of the page. React renders the first content after the page frame and in small steps. A slow
 * phone can therefore react to user input.
 */
function useContent(): ReactNode {
  const [first] = useState(() => (beginContent() ? null : undefined));
  return useDeferredValue<ReactNode>(CONTENT, first);
}

export function Shell() {
  const state = useStore(session);
  const content = useContent();
  return (
    <div className="flex min-h-dvh">
      <SkipLink />
      <PendingBar />
      <Sidebar />
      <div className="flex min-w-0 flex-1 flex-col">
        <TopRail onSearch={openSearch} />
        <InstanceAway />
        <main id="main" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
          {content}
        </main>
      </div>
      <Arrival />
      <Search />
      <Suspense>{state === 'over' && <SessionOver />}</Suspense>
    </div>
  );
}
