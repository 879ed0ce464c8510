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
 * The instance does not answer: what is shown stays, and says that it is old. The live connection tries again by itself;
 * when it is back, everything is read anew.
 */
export function InstanceAway() {
  const router = useRouter();
  const state = useStore(reach);
  const live = useStore(liveState);
  // Without a session nothing is told, and the instance is there all the same.
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
        The instance does not answer. What you see is what was true before, and nothing can be changed until it is back.
        Apps keep serving meanwhile.
      </Notice>
    </div>
  );
}
