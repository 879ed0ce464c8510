import { useNavigate } from '@tanstack/react-router';
import { useCall } from '../../api.ts';
import { paths } from '../../paths.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { say } from '../../ui/toast.tsx';
import type { End } from './store-end.ts';

export function RemoveStore({ name, end, onClose }: { name: string; end: End; onClose: () => void }) {
  const navigate = useNavigate();
  const remove = useCall('deleteObjectStore', {
    changes: ['listObjectStores'],
    onDone: () => {
      say(`${name} ${end.said}`);
      onClose();
      void navigate({ to: paths.objectStores(), ignoreBlocker: true });
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`${end.title.replace(/store/, name)}?`}
      action={end.confirm}
      typed={name}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { object_store: name }, query: { confirm: name } })}
    >
      <p>{end.says}</p>
      <p>If an app, a backup or a schedule uses the object store, you cannot remove the object store.</p>
    </ConfirmDialog>
  );
}
