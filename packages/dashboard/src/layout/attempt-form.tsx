import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Form } from '../ui/form.tsx';
import { Problem } from '../ui/problem.tsx';
import { type Attempt, waitReason, withWait } from './attempt.ts';

/**
 * Renders a form that the user can send again after a failure. The error is at the end of the form, and the button
 * shows the remaining wait.
 */
export function AttemptForm({
  attempt,
  error = attempt.error,
  missing,
  action,
  onSubmit,
  children,
}: {
  attempt: Attempt;
  /** Error that belongs to no field of the form. */
  error?: Error | null;
  /** What the user must fill in first, or `null` if the form can be sent. */
  missing: string | null;
  action: string;
  onSubmit: () => void;
  children: ReactNode;
}) {
  return (
    <Form
      className="flex flex-col gap-4"
      disabledBecause={waitReason(attempt) ?? missing}
      busy={attempt.busy}
      onSubmit={onSubmit}
    >
      {children}
      {error && <Problem error={error} />}
      <Button type="submit" kind="primary" busy={attempt.busy} disabledBecause={waitReason(attempt) ?? missing}>
        {withWait(action, attempt)}
      </Button>
    </Form>
  );
}
