import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Actions } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { Problem } from '../../ui/problem.tsx';
import { formErrorOf } from '../../util/field-error.ts';

/**
 * Renders a form in a dialog for one kind of template source, such as a file. The form contains fields, an error
 * message and buttons.
 */
export function SourceForm({
  action,
  busy,
  disabledBecause,
  error,
  onEdit,
  fields,
  onSubmit,
  onClose,
  children,
}: {
  action: string;
  busy: boolean;
  disabledBecause: string | null;
  error: Error | null;
  /** Clears the error message. The form calls this function when the user changes a field. */
  onEdit?: () => void;
  fields: readonly string[];
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const generalError = formErrorOf(error, fields);
  return (
    <Form
      noValidate
      className="flex flex-col gap-4"
      disabledBecause={disabledBecause}
      busy={busy}
      error={error}
      onEdit={onEdit}
      onSubmit={onSubmit}
    >
      {children}
      {generalError && <Problem error={generalError} />}
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" busy={busy} disabledBecause={disabledBecause}>
          {action}
        </Button>
      </Actions>
    </Form>
  );
}
