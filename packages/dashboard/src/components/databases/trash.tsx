import type { Database } from '@davit/api';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAnswer, useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { databasePath, paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Empty } from '../../ui/card.tsx';
import { ConfirmDialog, FormDialog } from '../../ui/dialog.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { ENGINE_NAMES } from './database-draft.ts';
import { IntoFields, useInto } from './into-fields.tsx';

const COLUMNS: readonly Column<Database>[] = [
  {
    name: 'Database',
    cell: ({ reference, status_reason: why }) => (
      <span className="inline-block min-w-26 wrap-anywhere">
        <span className="font-medium">{reference}</span>
        {why !== null && <span className="block text-xs text-soft">{why}</span>}
      </span>
    ),
  },
  { name: 'Engine', wideOnly: true, cell: ({ engine, version }) => `${ENGINE_NAMES[engine]} ${version}` },
  { name: 'Deleted', cell: ({ deleted }) => deleted && <Time at={deleted.at} /> },
  { name: 'Deletion', wideOnly: true, cell: ({ deleted }) => deleted && <Time at={deleted.expires_at} /> },
  { name: 'Actions', hideName: true, end: true, cell: (database) => <RowActions database={database} /> },
];

/** Lists deleted databases and replaced data that users can still restore. */
export function DatabaseTrash() {
  const databases = useAnswer('listTrashedDatabases');
  return (
    <Card
      title="Trash"
      description="Deleted databases, and data that a restore or an upgrade replaced. A database stays in the trash for 7 days by default. Davit then deletes the database permanently."
    >
      <Table
        label="Databases in the trash"
        columns={COLUMNS}
        rows={databases}
        keyOf={({ id }) => id}
        empty={
          <Empty title="The trash is empty">
            <p>Deleted databases stay in the trash for some days. You can change the number of days in the settings.</p>
          </Empty>
        }
      />
    </Card>
  );
}

function RowActions({ database }: { database: Database }) {
  const [open, setOpen] = useState<'restore' | 'destroy' | null>(null);
  const forbidden = useForbidden('administer');
  const onClose = () => setOpen(null);
  const name = <span className="sr-only"> {database.reference}</span>;
  return (
    <span className="flex flex-wrap justify-end gap-1">
      <Button kind="quiet" disabledBecause={forbidden} onClick={() => setOpen('restore')}>
        Restore…{name}
      </Button>
      <Button kind="quiet" disabledBecause={forbidden} onClick={() => setOpen('destroy')}>
        Delete permanently…{name}
      </Button>
      {open === 'restore' && <Restore database={database} onClose={onClose} />}
      {open === 'destroy' && <Destroy database={database} onClose={onClose} />}
    </span>
  );
}

interface DialogProps {
  database: Database;
  onClose: () => void;
}

function Restore({ database, onClose }: DialogProps) {
  const { id, project, environment, name: former } = database;
  const into = useInto(database, former);
  const navigate = useNavigate();
  const restore = useCall('restoreDatabase', {
    changes: ['listDatabases', 'listTrashedDatabases'],
    onDone: ({ subject }) => void navigate({ to: paths.database(databasePath(subject.name)) }),
  });
  const { name, reference } = into;
  const body = into.place === `${project}/${environment}` ? { name } : { into: reference };
  return (
    <FormDialog
      title={`Restore ${former}`}
      description="Restores the database with its data, users and passwords, and starts it."
      action="Restore database"
      busy={restore.isPending}
      disabledBecause={into.missing}
      error={restore.error}
      fields={['into']}
      onSubmit={() => restore.mutate({ params: { trashed: String(id) }, body })}
      onClose={onClose}
    >
      <IntoFields into={into} error={restore.error} label="Name" />
    </FormDialog>
  );
}

function Destroy({ database: { id, name, reference }, onClose }: DialogProps) {
  const destroy = useCall('destroyDatabase', {
    changes: ['listTrashedDatabases'],
    onDone: () => {
      say(`Permanently deleted ${reference}.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Delete ${reference} permanently?`}
      action="Delete permanently"
      typed={name}
      busy={destroy.isPending}
      error={destroy.error}
      onConfirm={() => destroy.mutate({ params: { trashed: String(id) }, query: { confirm: name } })}
    >
      <p>This permanently deletes the data of the database. Its backups are kept. This cannot be undone.</p>
    </ConfirmDialog>
  );
}
