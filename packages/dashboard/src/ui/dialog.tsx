import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Button } from './button.tsx';
import { TextField } from './field.tsx';
import { Problem } from './problem.tsx';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What it is about, in a sentence. */
  description?: ReactNode;
  children: ReactNode;
  wide?: boolean;
}

const DialogPopup = lazy(() => import('./dialog-popup.tsx').then((file) => ({ default: file.DialogPopup })));

/** What it is made with is loaded when the first one is opened. */
export function Dialog({ open, ...shown }: DialogProps) {
  return <Suspense>{open && <DialogPopup {...shown} />}</Suspense>;
}

/** The buttons of a dialog or a form: what does it last, where the eye ends. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap items-center justify-end gap-2">{children}</div>;
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

export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  children,
  action,
  typed,
  busy,
  error,
  onConfirm,
}: ConfirmProps) {
  const [text, setText] = useState('');
  const missing = typed !== undefined && text !== typed;
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!missing && !busy) onConfirm();
        }}
      >
        <div className="flex flex-col gap-2 text-sm">{children}</div>
        {typed !== undefined && (
          <TextField
            className="mt-4"
            label={`Type «${typed}» to confirm`}
            mono
            value={text}
            onChange={(event) => setText(event.target.value)}
            autoFocus
          />
        )}
        {error && <Problem className="mt-4" error={error} />}
        <Actions>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button type="submit" kind="danger" busy={busy} disabledBecause={missing ? `Type «${typed}» first.` : null}>
            {action}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
