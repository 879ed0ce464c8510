import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

/** Renders an error with the server's error message. Place the error next to the button of the failed action. */
export function Problem({
  error,
  className = '',
  children,
}: {
  error: Error;
  className?: string;
  children?: ReactNode;
}) {
  return (
    <div role="alert" className={`flex gap-2 rounded-md bg-error-soft px-3 py-2 text-sm text-error ${className}`}>
      <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
      <div className="min-w-0">
        <p className="break-words">{error.message}</p>
        {children}
      </div>
    </div>
  );
}
