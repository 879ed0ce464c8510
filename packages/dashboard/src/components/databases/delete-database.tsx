import { useNavigate } from '@tanstack/react-router';
import { useCall } from '../../api.ts';
import { paths } from '../../paths.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { say } from '../../ui/toast.tsx';
import { useDatabase } from './use-database.ts';

/** Renders the dialog that moves a database to the trash. Users can restore a database from the trash. */
export function DeleteDatabase({ name, onClose }: { name: string; onClose: () => void }) {
  const { database, params } = useDatabase();
  const navigate = useNavigate();
  const remove = useCall('deleteDatabase', {
    changes: ['listDatabases', 'listTrashedDatabases'],
    onDone: () => {
      say(`Moved ${database.reference} to the trash.`);
      void navigate({ to: paths.databases(), search: { tab: 'trash' } as never, ignoreBlocker: true });
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Delete ${name}?`}
      action="Move to trash"
      typed={name}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params, query: { confirm: name } })}
    >
      <p>
        This stops the database. You can use the name of the database again. The data moves to the trash. You can
        restore the data until Davit deletes it permanently.
      </p>
      {database.used_by.length > 0 && (
        <p>Davit does not delete a database in use. These apps use it: {database.used_by.join(', ')}.</p>
      )}
    </ConfirmDialog>
  );
}
