import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * After a navigation, announces the title of the new page to screen readers and moves the focus to the page heading.
 * For the first page, the browser makes the announcement.
 */
export function Arrival() {
  const router = useRouter();
  const [said, setSaid] = useState('');
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged) return;
        const heading = document.querySelector<HTMLElement>('main h1');
        // If the new page opened a dialog, keep the focus in the dialog.
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
