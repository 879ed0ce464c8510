import { type ReactNode, Suspense, useState } from 'react';
import { errorBeside } from '../util/field-error.ts';
import { lazyPart } from '../util/part.ts';
import { Button } from './button.tsx';
import type { DialogProps } from './dialog-props.ts';
import { TextField } from './field.tsx';
import { Form } from './form.tsx';
import { Problem } from './problem.tsx';

const DialogPopup = lazyPart(() => import('./dialog-popup.tsx').then((file) => file.DialogPopup), { ahead: true });

/** What it is made with is loaded after the page. */
export function Dialog({ open, ...shown }: DialogProps) {
  return <Suspense>{open && <DialogPopup {...shown} />}</Suspense>;
}

/** The buttons of a dialog or a form: what does it last, where the eye ends. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap items-center justify-end gap-2">{children}</div>;
}

export interface FormDialogProps extends Omit<DialogProps, 'open' | 'onOpenChange'> {
  /** What the button says: the verb and its object. */
  action: string;
  /** The button of what destroys is another one. */
  kind?: 'primary' | 'danger';
  busy?: boolean;
  /** What has to be done first, in a sentence; null: it can be sent. */
  disabledBecause?: string | null;
  /** What was refused. */
  error?: Error | null;
  /** The fields that say by themselves what was refused of them. */
  fields?: readonly string[];
  /** What is missing is said at the fields, and not by the browser. */
  noValidate?: boolean;
  onSubmit: () => void;
  onClose: () => void;
}

/** A form in a dialog: its fields, what was refused that is about none of them, and its two buttons. */
export function FormDialog({
  action,
  kind = 'primary',
  busy = false,
  disabledBecause = null,
  error = null,
  fields = [],
  noValidate = false,
  onSubmit,
  onClose,
  children,
  ...shown
}: FormDialogProps) {
  const beside = errorBeside(error, fields);
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} {...shown}>
      <Form
        noValidate={noValidate}
        className="flex flex-col gap-4"
        disabledBecause={disabledBecause}
        busy={busy}
        onSubmit={onSubmit}
      >
        {children}
        {beside && <Problem error={beside} />}
        {/* In sight however long the form is, down to the edge of what it scrolls in. */}
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
  /** What will be gone or different, in sentences. */
  children: ReactNode;
  /** What the button says: the verb and its object. */
  action: string;
  /** What has to be typed first, for what cannot be undone; absent: nothing. */
  typed?: string;
  busy: boolean;
  error: Error | null;
  onConfirm: () => void;
}

/** Each time that it opens it is typed anew. */
export function ConfirmDialog({ open, ...asked }: ConfirmProps) {
  return open && <Confirm {...asked} />;
}

function Confirm({ onOpenChange, children, typed, onConfirm, ...shown }: Omit<ConfirmProps, 'open'>) {
  const [text, setText] = useState('');
  const isMissing = typed !== undefined && text !== typed;
  return (
    <FormDialog
      {...shown}
      kind="danger"
      disabledBecause={isMissing ? `Type «${typed}» first.` : null}
      onSubmit={onConfirm}
      onClose={() => onOpenChange(false)}
    >
      <div className="flex flex-col gap-2 text-sm">{children}</div>
      {typed !== undefined && (
        <TextField
          label={`Type «${typed}» to confirm`}
          mono
          value={text}
          onChange={(event) => setText(event.target.value)}
          autoFocus
        />
      )}
    </FormDialog>
  );
}
