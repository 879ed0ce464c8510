import { useAnswer, useCall } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { say } from '../../ui/toast.tsx';
import { useSearchText } from '../../util/params.ts';
import { browserName } from './browser-name.ts';
import { SessionsTable } from './sessions-table.tsx';

export function UserSessions({ user }: { user: string }) {
  const sessions = useAnswer('listUserSessions', { params: { user } });
  const [number, setNumber] = useSearchText('end');
  const ending = sessions.find(({ id }) => String(id) === number);
  const close = () => setNumber(null);
  const end = useCall('endUserSession', {
    changes: ['listUserSessions'],
    onDone: () => {
      say('Ended the session.');
      close();
    },
  });
  return (
    <Card title="Sessions" description={`Browsers in which ${user} is signed in.`}>
      <SessionsTable
        label={`Sessions of ${user}`}
        rows={sessions}
        empty={<p className="text-sm text-soft">{user} has no sessions.</p>}
        actions={({ id, user_agent }) => (
          <Button
            kind="quiet"
            aria-label={`End session ${id}, ${browserName(user_agent)}`}
            onClick={() => setNumber(String(id))}
          >
            End…
          </Button>
        )}
      />
      {ending && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && close()}
          title={`End this session of ${user}?`}
          action="End session"
          busy={end.isPending}
          error={end.error}
          onConfirm={() => end.mutate({ params: { user, session: String(ending.id) } })}
        >
          <p>
            {browserName(ending.user_agent)} from {ending.address ?? 'an unknown address'} is signed out immediately.
            {ending.current && ' This is your current session.'}
          </p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
