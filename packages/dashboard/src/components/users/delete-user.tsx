import type { User } from '@davit/api';
import { useNavigate } from '@tanstack/react-router';
import { useCall } from '../../api.ts';
import { paths } from '../../paths.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { say } from '../../ui/toast.tsx';

export function DeleteUser({ user: { username }, isMe, onClose }: { user: User; isMe: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const remove = useCall('deleteUser', {
    changes: ['listUsers'],
    onDone: () => {
      say(`${username} is deleted.`);
      void navigate({ to: paths.users() });
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${username}?`}
      action="Delete the user"
      typed={username}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { user: username } })}
    >
      <p>Every session ends and every key is revoked. Pipelines that use one of them stop working.</p>
      <p>What {username} did stays in the audit log, under that name.</p>
      {isMe && <p className="text-warning">This is your own account: you are signed out, and cannot sign in again.</p>}
    </ConfirmDialog>
  );
}
