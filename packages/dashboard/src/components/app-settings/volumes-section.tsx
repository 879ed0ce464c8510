import type { AppVolume } from '@davit/api';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAnswer, useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { ConfirmDialog, FormDialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { errorFor } from '../../util/field-error.ts';
import { useAppPath, useSearchText } from '../../util/params.ts';

const COLUMNS: readonly Column<AppVolume>[] = [
  { name: 'Path in the app', cell: ({ path }) => <code className="font-mono break-all">{path}</code> },
  { name: 'Name', cell: ({ name }) => <Copyable text={name} /> },
  { name: 'Added', wideOnly: true, cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Remove', hideName: true, end: true, cell: (volume) => <RemoveVolume volume={volume} /> },
];

export function VolumesSection() {
  const params = useAppPath();
  const volumes = useAnswer('listAppVolumes', { params });
  const forbidden = useForbidden('operate');
  const [adding, setAdding] = useSearchText('new');
  return (
    <Card
      title="Volumes"
      description="Volumes are persistent folders of the app. Davit keeps them during deployments and after you delete the app."
      actions={
        <Button disabledBecause={forbidden} onClick={() => setAdding('1')}>
          Add volume{' '}
        </Button>
      }
    >
      <Table
        label="Volumes"
        columns={COLUMNS}
        rows={volumes}
        keyOf={({ id }) => id}
        empty={<p className="text-sm text-soft">No volumes. Each release starts with only the files of its image.</p>}
      />
      <p className="mt-4 text-xs text-soft">
        Volumes take effect with the next deployment. An app with a volume can have only one replica. Its deployments
        stop the old release before the new release starts, so that only one release writes to the volume.
      </p>
      {adding !== null && forbidden === null && <AddVolume onClose={() => setAdding(null)} />}
    </Card>
  );
}

const FIELDS = ['path', 'adopt'] as const;
const CHANGES = ['listAppVolumes', 'listVolumes', 'getApp'] as const;

function AddVolume({ onClose }: { onClose: () => void }) {
  const params = useAppPath();
  const kept = useAnswer('listVolumes').filter(({ state }) => state === 'kept');
  const [path, setPath] = useState('');
  const [adopt, setAdopt] = useState('');
  const add = useCall('addVolume', {
    changes: CHANGES,
    onDone: (volume) => {
      say(`Added ${volume.path}. The change takes effect with the next deployment.`);
      onClose();
    },
  });
  const options = [
    { value: '', label: 'A new, empty volume' },
    ...kept.map(({ name, app, path: at }) => ({ value: name, label: `${name}: ${at} of ${app}` })),
  ];
  return (
    <FormDialog
      title="Add volume"
      action="Add volume"
      busy={add.isPending}
      error={add.error}
      onEdit={add.reset}
      fields={FIELDS}
      onSubmit={() => add.mutate({ params, body: { path: path.trim(), ...(adopt && { adopt }) } })}
      onClose={onClose}
    >
      <TextField
        label="Path in the app"
        mono
        autoFocus
        required
        placeholder="/var/lib/data"
        hint="Path of the folder where the app stores its data."
        value={path}
        error={errorFor(add.error, 'path')}
        onChange={(event) => setPath(event.target.value)}
      />
      {kept.length > 0 && (
        <SelectField
          label="Data"
          hint="A volume of a deleted app can be used again, with its data."
          options={options}
          value={adopt}
          error={errorFor(add.error, 'adopt')}
          onChange={setAdopt}
        />
      )}
    </FormDialog>
  );
}

function RemoveVolume({ volume: { id, name, path } }: { volume: AppVolume }) {
  const params = useAppPath();
  const forbidden = useForbidden('administer');
  const [open, setOpen] = useState(false);
  const remove = useCall('removeVolume', { changes: CHANGES, onDone: () => setOpen(false) });
  const { volumes } = useAnswer('getSettings');
  return (
    <>
      <IconButton label={`Remove ${path}`} disabledBecause={forbidden} onClick={() => setOpen(true)}>
        <Trash2 className="size-4" aria-hidden />
      </IconButton>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={`Remove ${path} from the app?`}
        action="Move to trash"
        typed={name}
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params: { ...params, volume: String(id) }, query: { confirm: name } })}
      >
        <p>
          The next deployment starts the app without the volume. Until the next deployment, running replicas use the
          volume.
        </p>
        <p>
          The data stays in the trash for {volumes.trash_days} days. During this time, you can restore the volume. Davit
          then deletes the data permanently.
        </p>
      </ConfirmDialog>
    </>
  );
}
