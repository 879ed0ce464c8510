import { type ReactNode, Suspense, useState } from 'react';
import { formErrorOf } from '../util/field-error.ts';
import { lazyPart } from '../util/part.ts';
import { Button } from './button.tsx';
import type { DialogProps } from './dialog-props.ts';
import { TextField } from './field.tsx';
import { Form } from './form.tsx';
import { FormProblem } from './problem.tsx';

const DialogPopup = lazyPart(() => import('./dialog-popup.tsx').then((file) => file.DialogPopup), { ahead: true });

/** Renders a dialog. The browser loads the code for dialogs after it has loaded the page. */
export function Dialog({ open, ...shown }: DialogProps) {
  return <Suspense>{open && <DialogPopup {...shown} />}</Suspense>;
}

/** Renders the row of buttons at the end of a dialog or a form. The last button must be the main button. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap items-center justify-end gap-2">{children}</div>;
}

export interface FormDialogProps extends Omit<DialogProps, 'open' | 'onOpenChange'> {
  /** Label of the submit button. The label has a verb and an object, such as `Create app`. */
  action: string;
  /** Style of the submit button. Use `danger` for destructive actions. Default: `primary`. */
  kind?: 'primary' | 'danger';
  busy?: boolean;
  /** Message about what the user must do before the form can be submitted. `null` if the form can be submitted. */
  disabledBecause?: string | null;
  /** Error of the last form submission, or `null`. A form field can also show this error or a part of it. */
  error?: Error | null;
  /** Clears `error`. The form calls this function when the user changes a field after an error about form fields. */
  onEdit?: (() => void) | undefined;
  /** Names of form fields that show their own errors. The dialog shows all other errors below the form fields. */
  fields?: readonly string[];
  /**
   * Whether a form field already shows the error message. If `true`, the dialog does not repeat the message and shows
   * only a link to the help page. Default: `false`.
   */
  isErrorShown?: boolean;
  /**
   * Whether the form validation of the browser is turned off. Use this option if the form fields show their own error
   * messages.
   */
  noValidate?: boolean;
  onSubmit: () => void;
  onClose: () => void;
}

/**
 * Renders a form in a dialog with a cancel button and a submit button. Errors that do not belong to a field are shown
 * below all fields.
 */
export function FormDialog({
  action,
  kind = 'primary',
  busy = false,
  disabledBecause = null,
  error = null,
  onEdit,
  fields = [],
  isErrorShown = false,
  noValidate = false,
  onSubmit,
  onClose,
  children,
  ...shown
}: FormDialogProps) {
  const formError = isErrorShown ? null : formErrorOf(error, fields);
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} {...shown}>
      <Form
        noValidate={noValidate}
        className="flex flex-col gap-4"
        disabledBecause={disabledBecause}
        busy={busy}
        error={error}
        onEdit={onEdit}
        onSubmit={onSubmit}
      >
        {children}
        <FormProblem error={error} beside={formError} />
        {/* Keep the buttons visible at the lower edge while the user scrolls a long form. */}
        <div className="sticky -bottom-3 z-10 -mx-5 -mb-5 flex flex-wrap items-center justify-end gap-2 rounded-b-xl border-t border-line bg-panel px-5 py-3.5 sm:-bottom-6">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind={kind} busy={busy} disabledBecause={disabledBecause}>
            {action}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

export interface ConfirmProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** Text of the confirmation dialog. The text says what the action removes or changes. */
  children: ReactNode;
  /** Label of the confirm button. The label has a verb and an object, such as `Delete app`. */
  action: string;
  /**
   * Text that the user must type to confirm an action that cannot be undone. By default, the user does not have to type
   * a text.
   */
  typed?: string;
  busy: boolean;
  error: Error | null;
  onConfirm: () => void;
}

/** Renders a dialog that asks for confirmation. When the dialog opens, the field for the confirmation text is empty. */
export function ConfirmDialog({ open, ...props }: ConfirmProps) {
  return open && <Confirm {...props} />;
}

function Confirm({ onOpenChange, children, typed, onConfirm, ...shown }: Omit<ConfirmProps, 'open'>) {
  const [text, setText] = useState('');
  const isMissing = typed !== undefined && text !== typed;
  return (
    <FormDialog
      {...shown}
      kind="danger"
      disabledBecause={isMissing ? `Type “${typed}” first.` : null}
      onSubmit={onConfirm}
      onClose={() => onOpenChange(false)}
    >
      <div className="flex flex-col gap-2 text-sm">{children}</div>
      {typed !== undefined && (
        <TextField
          label={`Type “${typed}” to confirm`}
          mono
          value={text}
          onChange={(event) => setText(event.target.value)}
          autoFocus
        />
      )}
    </FormDialog>
  );
}
