import { startTransition, useEffect, useState } from 'react';
import { contentComesInSteps } from './first-page.ts';
import { afterPaint } from './painted.ts';

/** Maximum time in milliseconds that the lower parts of a page wait for the upper part. */
const LONGEST_WAIT_MS = 1_000;

/**
 * Returns how many of the lower parts of a page to render. On the first page, they wait until the upper part is ready,
 * so that a phone shows the upper part earlier, and so that the upper part does not push them down when it grows. Then
 * the browser paints one part after another. On all other pages no part waits, because the browser can scroll only to
 * existing content.
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
