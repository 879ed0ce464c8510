import { startTransition, useEffect, useState } from 'react';
import { contentComesInSteps } from './first-page.ts';
import { afterPaint } from './painted.ts';

/** Maximum time in milliseconds for which the lower parts of a page wait for the upper part. */
const LONGEST_WAIT_MS = 1_000;

/**
 * Returns the number of lower parts of a page to render. On the first page, the lower parts wait for the upper part, so
 * that a phone shows the upper part earlier. On all other pages, the lower parts do not wait, because the browser can
 * scroll only to existing content.
 */
export function useLowerParts(parts: number, isUpperReady: boolean): number {
  const [shown, setShown] = useState(() => (contentComesInSteps() ? 0 : parts));
  useEffect(() => {
    if (shown === parts) return;
    const showNext = () => startTransition(() => setShown(shown + 1));
    if (shown > 0 || isUpperReady) return afterPaint(showNext);
    const timer = setTimeout(showNext, LONGEST_WAIT_MS);
    return () => clearTimeout(timer);
  }, [shown, parts, isUpperReady]);
  return shown;
}
