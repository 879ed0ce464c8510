import { useRouterState } from '@tanstack/react-router';

/**
 * Renders a progress bar while the next page loads. CSS shows the progress bar after a delay, so that pages that load
 * fast show no progress bar.
 */
export function PendingBar() {
  const isPending = useRouterState({ select: ({ status }) => status === 'pending' });
  if (!isPending) return null;
  return (
    <div
      role="progressbar"
      aria-label="Loading the page"
      className="pending-bar fixed inset-x-0 top-0 z-50 h-0.5 bg-accent"
    />
  );
}
