import type { User } from '@davit/api';
import { useCall } from '../../api.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { say } from '../../ui/toast.tsx';

export function BlockUser({ user, isMe, onClose }: { user: User; isMe: boolean; onClose: () => void }) {
  const { username, blocked } = user;
  const change = useCall('patchUser', {
    changes: ['getUser', 'listUsers', 'listUserSessions', 'listUserConnections'],
    onDone: () => {
      say(blocked ? `Unblocked ${username}.` : `Blocked ${username}.`);
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
          ? 'The user can sign in again, and API keys work again.'
          : 'All sessions end immediately, and all connected OAuth clients lose access. The user cannot sign in or use API keys until you unblock the user.'}
      </p>
      {isMe && !blocked && (
        <p className="text-warning">This is your own account. If you block it, Davit signs you out immediately.</p>
      )}
    </ConfirmDialog>
  );
}
