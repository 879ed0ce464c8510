import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * After a navigation, announces the new page to screen readers and moves the focus to its heading. The browser itself
 * announces the first page.
 */
export function Arrival() {
  const router = useRouter();
  const [said, setSaid] = useState('');
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged) return;
        const heading = document.querySelector<HTMLElement>('main h1');
        // Keeps the focus in a dialog that opened together with the page.
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
