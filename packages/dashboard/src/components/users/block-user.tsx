import type { User } from '@davit/api';
import { useCall } from '../../api.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { say } from '../../ui/toast.tsx';

export function BlockUser({ user, isMe, onClose }: { user: User; isMe: boolean; onClose: () => void }) {
  const { username, blocked } = user;
  const change = useCall('patchUser', {
    changes: ['getUser', 'listUsers', 'listUserSessions', 'listUserConnections'],
    onDone: () => {
      say(blocked ? `${username} may sign in again.` : `${username} is blocked.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={blocked ? `Unblock ${username}?` : `Block ${username}?`}
      action={blocked ? 'Unblock' : 'Block'}
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ params: { user: username }, body: { blocked: !blocked } })}
    >
      <p>
        {blocked
          ? 'Signing in works again, and so does every key.'
          : 'Every session and every connected program ends at once, and neither signing in nor any key works until the user is unblocked.'}
      </p>
      {isMe && !blocked && <p className="text-warning">This is your own account: you are signed out too.</p>}
    </ConfirmDialog>
  );
}
