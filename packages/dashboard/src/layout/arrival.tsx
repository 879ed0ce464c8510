import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * Announces a newly opened page to screen readers and moves the focus to its heading. The browser announces the first
 * page of a visit itself.
 */
export function Arrival() {
  const router = useRouter();
  const [said, setSaid] = useState('');
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged) return;
        const heading = document.querySelector<HTMLElement>('main h1');
        // A dialog that opens with the page keeps the focus.
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
