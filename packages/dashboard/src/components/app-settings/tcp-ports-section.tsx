import type { TcpPort } from '@davit/api';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAnswer, useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog, FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { errorFor } from '../../util/field-error.ts';
import { useAppPath, useSearchText } from '../../util/params.ts';
import { typedNumber } from './typed-number.ts';

const COLUMNS: readonly Column<TcpPort>[] = [
  { name: 'Port of the server', cell: ({ host_port }) => <code className="font-mono">{host_port}</code> },
  { name: 'Port of the app', cell: ({ container_port }) => <code className="font-mono">{container_port}</code> },
  { name: 'Added', wideOnly: true, cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Remove', hideName: true, end: true, cell: (port) => <RemovePort port={port} /> },
];

/** Lists the TCP ports of the server that are forwarded to the app without the HTTP proxy. */
export function TcpPortsSection() {
  const params = useAppPath();
  const ports = useAnswer('listTcpPorts', { params });
  const forbidden = useForbidden('administer');
  const [adding, setAdding] = useSearchText('new');
  return (
    <Card
      title="TCP ports"
      description="Ports of the server for protocols other than HTTP. Connections do not go through the proxy, and everyone who can reach the server can use the port."
      actions={
        <Button disabledBecause={forbidden} onClick={() => setAdding('1')}>
          Publish port
        </Button>
      }
    >
      <Table
        label="TCP ports"
        columns={COLUMNS}
        rows={ports}
        keyOf={({ id }) => id}
        empty={
          <p className="text-sm text-soft">
            No TCP ports. HTTP requests do not need one, because they come through the proxy.
          </p>
        }
      />
      <p className="mt-4 text-xs text-soft">
        TCP ports take effect with the next deployment. An app with a TCP port can have only one replica. Its
        deployments stop the old release before the new release starts.
      </p>
      {adding !== null && forbidden === null && <AddPort onClose={() => setAdding(null)} />}
    </Card>
  );
}

const FIELDS = ['container_port', 'host_port'] as const;

function AddPort({ onClose }: { onClose: () => void }) {
  const params = useAppPath();
  const [container, setContainer] = useState('');
  const [host, setHost] = useState('');
  const add = useCall('addTcpPort', {
    changes: ['listTcpPorts', 'getApp'],
    onDone: ({ host_port }) => {
      say(`Published port ${host_port}. The change takes effect with the next deployment.`);
      onClose();
    },
  });
  const submit = () => {
    const body = { container_port: typedNumber(container), ...(host.trim() && { host_port: typedNumber(host) }) };
    add.mutate({ params, body });
  };
  return (
    <FormDialog
      title="Publish port"
      description="Everyone who can reach the server can connect to the port. Protect the port in the app or in a firewall."
      action="Publish port"
      busy={add.isPending}
      error={add.error}
      onEdit={add.reset}
      fields={FIELDS}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Port of the app"
        inputMode="numeric"
        autoFocus
        required
        placeholder="5432"
        hint="Port on which the app listens."
        value={container}
        error={errorFor(add.error, 'container_port')}
        onChange={(event) => setContainer(event.target.value)}
      />
      <TextField
        label="Port of the server"
        note="optional"
        inputMode="numeric"
        hint="From 1024 to 65535. Leave blank to use the first free port from 17000 to 17999."
        value={host}
        error={errorFor(add.error, 'host_port')}
        onChange={(event) => setHost(event.target.value)}
      />
    </FormDialog>
  );
}

function RemovePort({ port: { id, host_port } }: { port: TcpPort }) {
  const params = useAppPath();
  const forbidden = useForbidden('administer');
  const [open, setOpen] = useState(false);
  const remove = useCall('removeTcpPort', { changes: ['listTcpPorts', 'getApp'], onDone: () => setOpen(false) });
  return (
    <>
      <IconButton label={`Remove port ${host_port}`} disabledBecause={forbidden} onClick={() => setOpen(true)}>
        <Trash2 className="size-4" aria-hidden />
      </IconButton>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={`Remove port ${host_port} from the app?`}
        action="Remove port"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params: { ...params, tcp_port: String(id) } })}
      >
        <p>
          Running replicas keep the port until the next deployment. After that, port {host_port} of the server is
          closed.
        </p>
      </ConfirmDialog>
    </>
  );
}
