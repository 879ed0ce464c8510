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
      say(`Deleted ${username}.`);
      void navigate({ to: paths.users() });
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${username}?`}
      action="Delete user"
      typed={username}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { user: username } })}
    >
      <p>
        All sessions end, all connected OAuth clients lose access, and all API keys are revoked. Pipelines that use
        these API keys stop working. This cannot be undone.
      </p>
      <p>The audit log keeps the actions of {username}.</p>
      {isMe && (
        <p className="text-warning">
          This is your own account. After the deletion, you are signed out and cannot sign in again.
        </p>
      )}
    </ConfirmDialog>
  );
}
