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
}

export interface ExposureProps {
  name: string;
  isOpen: boolean;
  /** Sentence about the present addresses. */
  says: string;
  /** Sentence about the risk of the exposure. */
  warning: string;
  /** Reason why the exposure cannot be changed, or `null` if it can. */
  not: string | null;
  open: Call & { send: (asked: { body?: { port: number } }, onSuccess: () => void) => void };
  close: Call & { send: (onSuccess: () => void) => void };
}

/** Shows whether a database or an object store is exposed to the internet on a port of the server, and changes it. */
export function Exposure(props: ExposureProps) {
  const { isOpen, says, not } = props;
  const [asking, setAsking] = useState<'open' | 'close' | null>(null);
  const onClose = () => setAsking(null);
  return (
    <Card
      title="Public access"
      actions={
        <Button disabledBecause={not} onClick={() => setAsking(isOpen ? 'close' : 'open')}>
          {isOpen ? 'Remove public access…' : 'Expose publicly…'}
        </Button>
      }
    >
      <p className="text-sm text-soft">{says}</p>
      {asking === 'open' && <Open {...props} onClose={onClose} />}
      {asking === 'close' && <Close {...props} onClose={onClose} />}
    </Card>
  );
}

function Open({ name, warning, open, onClose }: ExposureProps & { onClose: () => void }) {
  const [port, setPort] = useState('');
  // Text that is not a number is sent unchanged, and the instance says what it accepts.
  const body = port.trim() === '' ? {} : { body: { port: typedNumber(port) } };
  return (
    <FormDialog
      title={`Expose ${name} publicly?`}
      action="Expose publicly"
      busy={open.isPending}
      error={open.error}
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
        Only apps of its environment can then reach it. The service restarts and does not respond for a few seconds.
      </p>
    </ConfirmDialog>
  );
}
