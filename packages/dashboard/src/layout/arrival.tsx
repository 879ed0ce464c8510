import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * Says which page was opened to who cannot see it, and puts the keyboard at its heading. The page that a visit begins
 * with is the browser's own matter.
 */
export function Arrival() {
  const router = useRouter();
  const [said, setSaid] = useState('');
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged) return;
        const heading = document.querySelector<HTMLElement>('main h1');
        // A form that the page opens with has the keyboard already.
        if (document.activeElement?.closest('[role="dialog"]') === null || document.activeElement === document.body) {
          heading?.focus({ preventScroll: true });
        }
        setSaid(document.title);
      }),
    [router],
  );
  return (
    <p aria-live="polite" className="sr-only">
      {said}
    </p>
  );
}
