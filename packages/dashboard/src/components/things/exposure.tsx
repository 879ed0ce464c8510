import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog, FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { errorFor } from '../../util/field-error.ts';
import { typedNumber } from '../app-settings/typed-number.ts';

interface Call {
  isPending: boolean;
  error: Error | null;
  reset: () => void;
}

export interface ExposureProps {
  name: string;
  isOpen: boolean;
  /** Sentence that shows the public address, or says that no public address exists. */
  says: string;
  /** Warning that is shown before the user makes a database or an object store accessible from the internet. */
  warning: string;
  /** Reason why the user may not change the public access. `null` if the user may change it. */
  not: string | null;
  open: Call & { send: (asked: { body?: { port: number } }, onSuccess: () => void) => void };
  close: Call & { send: (onSuccess: () => void) => void };
}

/**
 * Renders the card for public access to a database or an object store. On this card, the user can open or close a TCP
 * port of the server for public access.
 */
export function Exposure(props: ExposureProps) {
  const { isOpen, says, not } = props;
  const [dialog, setDialog] = useState<'open' | 'close' | null>(null);
  const onClose = () => setDialog(null);
  return (
    <Card
      title="Public access"
      actions={
        <Button disabledBecause={not} onClick={() => setDialog(isOpen ? 'close' : 'open')}>
          {isOpen ? 'Remove public access…' : 'Expose publicly…'}
        </Button>
      }
    >
      <p className="text-sm text-soft">{says}</p>
      {dialog === 'open' && <Open {...props} onClose={onClose} />}
      {dialog === 'close' && <Close {...props} onClose={onClose} />}
    </Card>
  );
}

function Open({ name, warning, open, onClose }: ExposureProps & { onClose: () => void }) {
  const [port, setPort] = useState('');
  // An invalid port is sent unchanged, so that the server reports the error.
  const body = port.trim() === '' ? {} : { body: { port: typedNumber(port) } };
  return (
    <FormDialog
      title={`Expose ${name} publicly?`}
      action="Expose publicly"
      busy={open.isPending}
      error={open.error}
      onEdit={open.reset}
      fields={['port']}
      onSubmit={() => open.send(body, onClose)}
      onClose={onClose}
    >
      <Notice tone="warning">{warning} The service restarts and does not respond for a few seconds.</Notice>
      <TextField
        label="Port"
        note="optional"
        inputMode="numeric"
        hint="Port of the server. Leave blank to use the first free port."
        value={port}
        onChange={({ target }) => setPort(target.value)}
        error={errorFor(open.error, 'port')}
      />
    </FormDialog>
  );
}

function Close({ name, close, onClose }: ExposureProps & { onClose: () => void }) {
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Remove public access to ${name}?`}
      action="Remove public access"
      busy={close.isPending}
      error={close.error}
      onConfirm={() => close.send(onClose)}
    >
      <p>
        After that, only apps in the same environment can connect. The service restarts and does not respond for a few
        seconds.
      </p>
    </ConfirmDialog>
  );
}
