import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { shownMessage } from '../util/field-error.ts';
import { HelpLink, helpOf } from './help-link.tsx';

/** Renders an error with the server's error message. Place the error next to the button of the failed action. */
export function Problem({
  error,
  help = helpOf(error),
  className = '',
  children,
}: {
  error: Error;
  /** URL of the help section about the error, or `null`. By default, the URL in the error is used. */
  help?: string | null;
  className?: string;
  children?: ReactNode;
}) {
  return (
    <div role="alert" className={`flex gap-2 rounded-md bg-error-soft px-3 py-2 text-sm text-error ${className}`}>
      <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
      <div className="min-w-0">
        <p className="break-words">{shownMessage(error)}</p>
        <div className="flex flex-wrap items-baseline gap-x-4 empty:hidden">
          {children}
          <HelpLink to={help} />
        </div>
      </div>
    </div>
  );
}

/**
 * Renders the error of a form with a link to the help page.
 * @param formError part of the error that no field shows; `null` renders only the link
 */
export function FormProblem({
  error,
  beside: formError,
  className = '',
}: {
  error: Error | null;
  beside: Error | null;
  className?: string;
}) {
  const help = helpOf(error);
  if (formError !== null) return <Problem error={formError} help={help} className={className} />;
  return (
    <p className={`text-sm text-error empty:hidden ${className}`}>
      <HelpLink to={help} />
    </p>
  );
}
