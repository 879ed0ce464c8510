import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
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

export function Dialog({ open, onOpenChange, title, description, children, wide = false }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Base.Viewport className="fixed inset-0 z-40 grid items-start justify-items-center overflow-y-auto p-3 pt-[8vh] sm:p-6 sm:pt-[10vh]">
          <Base.Popup
            className={`w-full ${wide ? 'max-w-2xl' : 'max-w-lg'} rounded-xl border border-line bg-panel p-5 shadow-float outline-none`}
          >
            <div className="mb-3 flex items-start justify-between gap-4">
              <Base.Title className="text-lg leading-snug">{title}</Base.Title>
              <Base.Close
                aria-label="Close"
                className="-m-1.5 rounded-md p-1.5 text-soft hover:bg-sunken hover:text-text"
              >
                <X className="size-4" aria-hidden />
              </Base.Close>
            </div>
            {description && <Base.Description className="mb-4 text-sm text-soft">{description}</Base.Description>}
            {children}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
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
