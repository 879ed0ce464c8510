import { bytes, type Unrecorded } from '@davit/api';
import { useState } from 'react';
import { useAnswer, useCall } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Empty } from '../../ui/card.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { ConfirmDialog, FormDialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { errorFor } from '../../util/field-error.ts';
import { useNotForAll } from '../admin/not-for-all.ts';

const TITLE = 'Orphaned volumes and images';

const KINDS: Record<Unrecorded['kind'], string> = {
  app_volume: 'volume of an app',
  database_volume: 'volume of a database',
  object_store_volume: 'volume of an object store',
  image: 'image of a release',
};

const COLUMNS: readonly Column<Unrecorded>[] = [
  { name: 'Name', cell: (one) => <Name one={one} /> },
  { name: 'Created', wideOnly: true, cell: ({ created_at }) => (created_at ? <Time at={created_at} /> : '—') },
  {
    name: 'Size',
    wideOnly: true,
    end: true,
    cell: ({ size_bytes }) => (size_bytes === null ? '—' : bytes(size_bytes)),
  },
  {
    name: 'Deletion',
    wideOnly: true,
    cell: ({ removed_at }) =>
      removed_at ? <Time at={removed_at} /> : <span className="text-soft">only manually</span>,
  },
  { name: 'Actions', hideName: true, end: true, cell: (one) => <RowActions one={one} /> },
];

/**
 * Lists Docker volumes and images of this instance that are missing in its database. The restore of an older copy of
 * the data directory can cause this difference.
 */
export function UnrecordedCard() {
  const forbidden = useNotForAll('see orphaned volumes and images');
  if (forbidden !== null) {
    return (
      <Empty title={TITLE}>
        <p>{forbidden}</p>
      </Empty>
    );
  }
  return <List />;
}

function List() {
  const all = useAnswer('listUnrecorded');
  return (
    <Card
      title={TITLE}
      description="These volumes and images exist in Docker, but Davit does not list them in its own database. This happens if you restore an older copy of the data directory. Assign a volume to a project to keep its data, or delete the volume."
    >
      <Table
        label={TITLE}
        columns={COLUMNS}
        rows={all}
        keyOf={({ name }) => name}
        empty={
          <Empty title="No orphaned volumes or images">
            <p>Each Docker volume and image of this instance is listed in the database of Davit.</p>
          </Empty>
        }
      />
    </Card>
  );
}

function Name({ one: { name, kind, made_for } }: { one: Unrecorded }) {
  return (
    <>
      <Copyable text={name} />
      <p className="text-xs text-soft">
        {KINDS[kind]}
        {made_for !== null && `, created for ${made_for}`}
      </p>
    </>
  );
}

function RowActions({ one: { name, kind } }: { one: Unrecorded }) {
  const [open, setOpen] = useState<'adopt' | 'delete' | null>(null);
  const named = <span className="sr-only"> {name}</span>;
  const onClose = () => setOpen(null);
  return (
    <span className="flex flex-wrap justify-end gap-1">
      {kind !== 'image' && (
        <Button kind="quiet" onClick={() => setOpen('adopt')}>
          Assign…{named}
        </Button>
      )}
      <Button kind="quiet" onClick={() => setOpen('delete')}>
        Delete…{named}
      </Button>
      {open === 'adopt' && <Adopt name={name} onClose={onClose} />}
      {open === 'delete' && <Delete name={name} onClose={onClose} />}
    </span>
  );
}

function Adopt({ name, onClose }: { name: string; onClose: () => void }) {
  const projects = useAnswer('listProjects');
  const [project, setProject] = useState(projects[0]?.slug ?? '');
  const adopt = useCall('adoptUnrecorded', {
    changes: ['listUnrecorded', 'listVolumes', 'getInstance'],
    onDone: (volume) => {
      say(`${volume.name} is now a detached volume of ${project}. An app of the project can attach the volume.`);
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Assign ${name} to a project`}
      description="After you assign the volume to a project, an app of the project can use the volume with its data."
      action="Assign volume"
      busy={adopt.isPending}
      disabledBecause={project === '' ? 'Create a project first.' : null}
      error={adopt.error}
      onEdit={adopt.reset}
      fields={['project']}
      onSubmit={() => adopt.mutate({ body: { name, project } })}
      onClose={onClose}
    >
      <SelectField
        label="Project"
        options={projects.map(({ slug }) => ({ value: slug, label: slug }))}
        value={project}
        onChange={setProject}
        error={errorFor(adopt.error, 'project')}
      />
    </FormDialog>
  );
}

function Delete({ name, onClose }: { name: string; onClose: () => void }) {
  const remove = useCall('deleteUnrecorded', {
    changes: ['listUnrecorded', 'listImages', 'getInstance'],
    onDone: () => {
      say(`Deleted ${name}.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete ${name}`}
      action="Delete permanently"
      typed={name}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ query: { name, confirm: name } })}
    >
      <p>This permanently deletes the volume or image with all its data. This cannot be undone.</p>
    </ConfirmDialog>
  );
}
