import { useCallback, useSyncExternalStore } from 'react';

const EVERY_MS = 100;
let now = Date.now();

/** The time, moving while something is under way that is counted on the page; it stands still otherwise. */
export function useTick(active: boolean): number {
  const subscribe = useCallback(
    (listener: () => void) => {
      if (!active) return () => undefined;
      const timer = setInterval(() => {
        now = Date.now();
        listener();
      }, EVERY_MS);
      return () => clearInterval(timer);
    },
    [active],
  );
  return useSyncExternalStore(subscribe, () => now);
}
