import { useRouterState } from '@tanstack/react-router';

/** A page is on its way, and the one before it stays until it is there. What comes at once shows no bar. */
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
