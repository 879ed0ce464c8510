import type { ReactNode } from 'react';

const TONES = {
  info: 'bg-accent-soft text-text',
  warning: 'bg-warning-soft text-warning',
  error: 'bg-error-soft text-error',
  good: 'bg-good-soft text-good',
} as const;

/** Renders a message that stays on the page. For a short message after an action, use a toast. */
export function Notice({
  tone = 'info',
  children,
  action,
}: {
  tone?: keyof typeof TONES;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div
      role="status"
      className={`flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md px-3 py-2 text-sm ${TONES[tone]}`}
    >
      <div className="min-w-0 break-words">{children}</div>
      {action}
    </div>
  );
}
