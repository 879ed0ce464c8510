import type { Backup } from '@davit/api';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { databasePath, paths } from '../../paths.ts';
import { ConfirmDialog, FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { RadioGroup } from '../../ui/radio.tsx';
import { say } from '../../ui/toast.tsx';
import { errorFor } from '../../util/field-error.ts';
import { useSearchText } from '../../util/params.ts';
import { IntoFields, useInto } from '../databases/into-fields.tsx';
import { nameIn } from './backup-words.ts';

/**
 * Renders the dialogs that restore or delete a backup. The query parameters `?restore=` and `?remove=` name the
 * backup.
 */
export function BackupDialogs({ backups }: { backups: readonly Backup[] }) {
  const [restore, setRestore] = useSearchText('restore');
  const [remove, setRemove] = useSearchText('remove');
  const named = (id: string | null) => backups.find((one) => String(one.id) === id);
  const [restored, removed] = [named(restore), named(remove)];
  return (
    <>
      {restored && <Restore key={restored.id} backup={restored} onClose={() => setRestore(null)} />}
      {removed && <Remove backup={removed} onClose={() => setRemove(null)} />}
    </>
  );
}

interface Props {
  backup: Backup;
  onClose: () => void;
}

type How = 'new' | 'in-place';

function Restore({ backup, onClose }: Props) {
  const [how, setHow] = useState<How>('new');
  const [typed, setTyped] = useState('');
  const { id, database, database_exists: exists } = backup;
  const name = nameIn(database);
  const into = useInto(databasePath(database), exists ? `${name}-restored` : name);
  const { mutate, isPending, error, reset } = useRestore(how === 'new' ? into.reference : database);
  const unconfirmed = typed === name ? null : `Type “${name}” first.`;
  const body = how === 'new' ? { into: into.reference } : { in_place: true, confirm: name };
  return (
    <FormDialog
      title={`Restore backup ${id} of ${name}`}
      action={how === 'new' ? 'Restore as new database' : `Replace data of ${name}`}
      kind={how === 'new' ? 'primary' : 'danger'}
      busy={isPending}
      disabledBecause={how === 'new' ? into.missing : unconfirmed}
      error={error}
      onEdit={reset}
      fields={how === 'new' ? ['into'] : ['confirm']}
      onSubmit={() => mutate({ params: { backup: String(id) }, body })}
      onClose={onClose}
    >
      <RadioGroup<How>
        label="Target"
        value={how}
        onChange={setHow}
        choices={[
          {
            value: 'new',
            label: 'New database',
            hint: 'The new database has its own password. The current database does not change.',
          },
          {
            value: 'in-place',
            label: 'In place',
            hint: 'Replaces the current data with the backup. Davit first backs up the current data, and then moves the current data to the trash. If the restore fails, nothing changes.',
            disabledBecause: exists ? null : 'The database was deleted.',
          },
        ]}
      />
      {how === 'new' ? (
        <IntoFields into={into} error={error} />
      ) : (
        <TextField
          label={`Type “${name}” to confirm`}
          mono
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          error={errorFor(error, 'confirm')}
        />
      )}
    </FormDialog>
  );
}

/**
 * Returns a mutation that restores a backup. On success, the dashboard opens the page of the target database, which
 * shows the progress.
 */
function useRestore(reference: string) {
  const navigate = useNavigate();
  return useCall('restoreBackup', {
    changes: ['listTasks', 'listDatabases', 'getDatabase'],
    onDone: () => void navigate({ to: paths.database(databasePath(reference)) }),
  });
}

function Remove({ backup: { id, database }, onClose }: Props) {
  const name = nameIn(database);
  const remove = useCall('deleteBackup', {
    changes: ['listBackups', 'listDatabaseBackups', 'listBackupCoverage'],
    onDone: () => {
      say(`Deleted backup ${id}.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Delete backup ${id} of ${name}?`}
      action="Delete backup"
      typed={name}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { backup: String(id) }, query: { confirm: name } })}
    >
      <p>
        This permanently deletes the backup, including the file on the disk or in the bucket. This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
