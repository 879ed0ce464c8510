import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Form } from '../ui/form.tsx';
import { Problem } from '../ui/problem.tsx';
import { type Attempt, waitReason, withWait } from './attempt.ts';

/** A form that is tried until it works: what was refused is at its end, and the button says how long it has to be left alone. */
export function AttemptForm({
  attempt,
  error = attempt.error,
  missing,
  action,
  onSubmit,
  children,
}: {
  attempt: Attempt;
  /** What is about none of its fields. */
  error?: Error | null;
  /** What has to be filled in first; null: it can be sent. */
  missing: string | null;
  /** What the button says. */
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
