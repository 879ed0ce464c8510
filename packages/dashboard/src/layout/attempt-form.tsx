import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Form } from '../ui/form.tsx';
import { Problem } from '../ui/problem.tsx';
import { type Attempt, waitReason, withWait } from './attempt.ts';

/**
 * Renders a form for repeated attempts, such as a sign-in. After too many attempts, the submit button shows how long
 * the user must wait.
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
  /** Error that does not belong to a field of the form, or `null`. */
  error?: Error | null;
  /** Message about the first empty required field, or `null` if no required field is empty. */
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
      error={attempt.error}
      onEdit={attempt.reset}
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
