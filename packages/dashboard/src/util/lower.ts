import { startTransition, useEffect, useState } from 'react';
import { contentComesInSteps } from './first-page.ts';

/** Maximum time in milliseconds that the lower part of a page waits for the upper part. */
const LONGEST_WAIT_MS = 1_000;

/**
 * Returns whether to render the lower part of a page. On the first page, the lower part waits until the upper part is
 * ready, so that a phone shows the upper part earlier, and so that the upper part does not push the lower part down
 * when it grows. On all other pages it does not wait, because the browser can scroll only to existing content.
 */
export function useLower(isUpperReady: boolean): boolean {
  const [isShown, setShown] = useState(() => !contentComesInSteps());
  useEffect(() => {
    if (isShown) return;
    const show = () => startTransition(() => setShown(true));
    const timer = setTimeout(show, isUpperReady ? 0 : LONGEST_WAIT_MS);
    return () => clearTimeout(timer);
  }, [isShown, isUpperReady]);
  return isShown;
}
