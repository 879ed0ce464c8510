import { type LiveState, liveState } from '../live/live.ts';
import { WithReason } from '../ui/reason.tsx';
import { useNow } from '../ui/time.tsx';
import { relative } from '../util/relative-time.ts';
import { createStore, useStore } from '../util/store.ts';

/** Time in milliseconds at which the state of the event stream last changed. */
const since = createStore(Date.now());
liveState.subscribe(() => since.set(Date.now()));

const WORDS: Record<LiveState, { short: string; color: string; long: string }> = {
  connecting: { short: 'Connecting', color: 'text-soft', long: 'Connecting to the instance for live updates.' },
  live: { short: 'Live', color: 'text-good', long: 'Pages update automatically.' },
  away: {
    short: 'Not live: reconnecting',
    color: 'text-warning',
    long: 'Pages may show outdated data. They update after the connection is restored.',
  },
};

/**
 * Shows whether the event stream to the server is connected. Without the event stream, the page may show outdated data.
 */
export function LiveIndicator() {
  const state = useStore(liveState);
  const changed = useStore(since);
  const now = useNow();
  const { short, color, long } = WORDS[state];
  const lost = state === 'away' ? `Connection lost ${relative(changed, Math.max(now, changed))}.` : '';
  return (
    <WithReason reason={`${long} ${lost}`.trim()}>
      <button
        type="button"
        aria-label={lost === '' ? short : `${short}. ${lost}`}
        data-live={state}
        className={`flex min-h-9 items-center gap-1.5 rounded-md px-2 text-xs whitespace-nowrap hover:bg-sunken ${color}`}
      >
        <span
          aria-hidden
          className={`size-2 rounded-full bg-current ${state === 'connecting' ? 'motion-safe:animate-pulse' : ''}`}
        />
        <span className="max-lg:sr-only">{short}</span>
      </button>
    </WithReason>
  );
}
