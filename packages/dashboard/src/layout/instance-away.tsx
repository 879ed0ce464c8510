import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { queryClient } from '../api.ts';
import { liveState } from '../live/live.ts';
import { reach } from '../reach.ts';
import { session } from '../session.ts';
import { Notice } from '../ui/notice.tsx';
import { tryPartsAgain } from '../util/part.ts';
import { useStore } from '../util/store.ts';

/**
 * Renders a notice while the server does not respond. The page still shows its data, which may be outdated. After the
 * event stream has reconnected, all data is fetched again.
 */
export function InstanceAway() {
  const router = useRouter();
  const state = useStore(reach);
  const live = useStore(liveState);
  // Check the event stream only if the user is signed in. Otherwise, there is no event stream.
  const isSignedIn = useStore(session) === 'here';
  const isAway = state === 'away' || (live === 'away' && isSignedIn);
  useEffect(() => {
    if (!isAway) return;
    return () => {
      tryPartsAgain();
      void queryClient.invalidateQueries().then(() => router.invalidate());
    };
  }, [isAway, router]);
  useEffect(() => {
    if (live === 'live') reach.set('here');
  }, [live]);
  if (!isAway) return null;
  return (
    <div className="px-4 pt-4 sm:px-6">
      <Notice tone="warning">
        Cannot connect to the instance. This page shows earlier data, and you cannot change anything until the
        connection is back. Running apps are not affected.
      </Notice>
    </div>
  );
}
