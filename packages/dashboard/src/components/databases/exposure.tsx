import { useState } from 'react';
import { useCall } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog, FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { errorFor } from '../../util/field-error.ts';
import { typedNumber } from '../app-settings/typed-number.ts';
import { useDatabase } from './use-database.ts';

const CHANGES = ['getDatabase', 'listDatabases', 'getDatabaseCredentials', 'listTasks'] as const;

/** Whether the world reaches it. */
export function Exposure() {
  const { database, not } = useDatabase();
  const [asking, setAsking] = useState<'open' | 'close' | null>(null);
  const { exposed } = database;
  const onClose = () => setAsking(null);
  return (
    <Card
      title="From outside"
      actions={
        <Button disabledBecause={not.expose} onClick={() => setAsking(exposed === null ? 'open' : 'close')}>
          {exposed === null ? 'Open it to the world…' : 'Close it…'}
        </Button>
      }
    >
      <p className="text-sm text-soft">
        {exposed === null
          ? 'Only apps of its environment reach it.'
          : `Port ${exposed.port} of the machine leads to it${exposed.tls ? ', with TLS by the database itself' : ''}.`}
      </p>
      {asking === 'open' && <Open onClose={onClose} />}
      {asking === 'close' && <Close onClose={onClose} />}
    </Card>
  );
}

function Open({ onClose }: { onClose: () => void }) {
  const { database, params } = useDatabase();
  const [port, setPort] = useState('');
  const open = useCall('exposeDatabase', { changes: CHANGES, onDone: onClose });
  const body = port.trim() === '' ? {} : { body: { port: typedNumber(port) } };
  return (
    <FormDialog
      title={`Open ${database.name} to the world?`}
      action="Open it"
      busy={open.isPending}
      error={open.error}
      fields={['port']}
      onSubmit={() => open.mutate({ params, ...body })}
      onClose={onClose}
    >
      <Notice tone="warning">
        Whoever reaches the machine can try to log in. It does not answer for a few seconds meanwhile.
      </Notice>
      <TextField
        label="Port"
        note="optional"
        inputMode="numeric"
        hint="Of the machine. Left out: the first free one."
        value={port}
        onChange={({ target }) => setPort(target.value)}
        error={errorFor(open.error, 'port')}
      />
    </FormDialog>
  );
}

function Close({ onClose }: { onClose: () => void }) {
  const { database, params } = useDatabase();
  const close = useCall('unexposeDatabase', { changes: CHANGES, onDone: onClose });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Close ${database.name} to the world?`}
      action="Close it"
      busy={close.isPending}
      error={close.error}
      onConfirm={() => close.mutate({ params })}
    >
      <p>Only the apps of its environment reach it then. It does not answer for a few seconds meanwhile.</p>
    </ConfirmDialog>
  );
}
