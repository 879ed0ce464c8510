import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Actions, ConfirmDialog, Dialog } from '../../ui/dialog.tsx';

/**
 * Renders the confirmation dialog for a garbage collection. The dialog lists what the garbage collection will delete.
 */
export function CollectDialog({
  title,
  isNothing,
  busy,
  error,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  isNothing: boolean;
  busy: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  if (isNothing) {
    return (
      <Dialog open onOpenChange={(open) => open || onClose()} title={title}>
        <p className="text-sm">There is nothing to remove. Everything is in use.</p>
        <Actions>
          <Button kind="primary" onClick={onClose}>
            Close
          </Button>
        </Actions>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={title}
      action="Remove unused data"
      busy={busy}
      error={error}
      onConfirm={onConfirm}
    >
      {children}
    </ConfirmDialog>
  );
}

/** Maximum number of lines in the list of the dialog. If there are more lines, the dialog shows their number. */
const MOST = 30;

export function Lines({ label, lines }: { label: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <p className="font-medium">{label}</p>
      <ul className="rounded-md bg-sunken px-2 py-1 font-mono text-xs">
        {lines.slice(0, MOST).map((line) => (
          <li key={line} className="break-all">
            {line}
          </li>
        ))}
        {lines.length > MOST && <li className="font-sans">and {lines.length - MOST} more</li>}
      </ul>
    </div>
  );
}
