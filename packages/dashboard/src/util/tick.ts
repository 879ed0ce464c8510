import { useCallback, useSyncExternalStore } from 'react';

const EVERY_MS = 100;
let now = Date.now();

/**
 * Returns the current time in milliseconds. The component renders again with a new time only while `active` is `true`.
 */
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
