import type { Registry } from '@davit/api';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAnswer, useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Empty } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say, sayProblem } from '../../ui/toast.tsx';
import { useSearchText } from '../../util/params.ts';
import { projectsInWords } from '../users/rights.ts';
import { CredentialsForm } from './credentials-form.tsx';

const COLUMNS: readonly Column<Registry>[] = [
  { name: 'Registry', cell: ({ host }) => <span className="font-medium">{host}</span> },
  { name: 'Username', cell: ({ username }) => username },
  { name: 'Projects', cell: ({ projects }) => projectsInWords(projects) },
  { name: 'Password', wideOnly: true, cell: () => <span className="text-soft">encrypted</span> },
  { name: 'Last check', wideOnly: true, cell: ({ checked_at }) => (checked_at ? <Time at={checked_at} /> : 'never') },
  { name: 'Actions', hideName: true, end: true, cell: (registry) => <RowActions registry={registry} /> },
];

/** Lists the credentials with which Davit pulls images from external registries. */
export function Credentials() {
  const forbidden = useForbidden('administer');
  if (forbidden !== null) {
    return (
      <Empty title="Registry credentials">
        <p>{forbidden}</p>
      </Empty>
    );
  }
  return <List />;
}

function List() {
  const registries = useAnswer('listRegistries');
  const [form, open] = useSearchText('credentials');
  const edited = registries.find(({ id }) => String(id) === form);
  return (
    <Card
      title="Registry credentials"
      description="Davit uses these credentials to pull images from external registries. Stored passwords are never shown."
      actions={
        <Button kind="primary" onClick={() => open('new')}>
          <Plus className="size-4" aria-hidden />
          Add credentials…
        </Button>
      }
    >
      <Table
        label="Registry credentials"
        columns={COLUMNS}
        rows={registries}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No registry credentials">
            <p>
              Public images need no credentials. For private images, for example on ghcr.io, add a username and a token.
            </p>
          </Empty>
        }
      />
      {(form === 'new' || edited) && <CredentialsForm registry={edited ?? null} onClose={() => open(null)} />}
    </Card>
  );
}

function RowActions({ registry }: { registry: Registry }) {
  const { id, host, projects } = registry;
  const [, open] = useSearchText('credentials');
  const [removing, setRemoving] = useState(false);
  const check = useCall('patchRegistry', {
    changes: ['listRegistries'],
    onDone: () => say(`${host} accepted the credentials.`),
  });
  const remove = useCall('removeRegistry', { changes: ['listRegistries'], onDone: () => setRemoving(false) });
  const params = { registry: String(id) };
  // Include the projects in the label, because one registry host may have different credentials for different projects.
  const named = (
    <span className="sr-only">
      {' '}
      {host}
      {projects && ` of ${projectsInWords(projects)}`}
    </span>
  );
  return (
    <span className="flex flex-wrap justify-end gap-1">
      {/* The button sends a PATCH request without changes, which makes the server check the stored credentials. */}
      <Button
        kind="quiet"
        busy={check.isPending}
        onClick={() => check.mutate({ params, body: {} }, { onError: sayProblem })}
      >
        Test{named}
      </Button>
      <Button kind="quiet" onClick={() => open(String(id))}>
        Edit…{named}
      </Button>
      <Button kind="quiet" onClick={() => setRemoving(true)}>
        Remove…{named}
      </Button>
      <ConfirmDialog
        open={removing}
        onOpenChange={setRemoving}
        title={`Remove the credentials of ${host}?`}
        action="Remove credentials"
        typed={host}
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params })}
      >
        <p>Davit can no longer pull private images of {host}. Running apps are not affected.</p>
      </ConfirmDialog>
    </span>
  );
}
