import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { say } from '../../ui/toast.tsx';
import { useSearchText } from '../../util/params.ts';
import { browserName } from '../users/browser-name.ts';
import { SessionsTable } from '../users/sessions-table.tsx';
import { useOwnCall, useOwnSessions } from './own.ts';

const OWN = 'This is your current session. To end it, sign out.';

export function OwnSessions() {
  const sessions = useOwnSessions();
  const [ended, setEnded] = useSearchText('end');
  const ending = sessions.find(({ id }) => String(id) === ended);
  const end = useOwnCall('endSession', () => {
    say('Ended the session.');
    setEnded(null);
  });
  return (
    <Card
      title="Sessions"
      description="Browsers in which you are signed in. A session expires after 7 days without use."
    >
      <SessionsTable
        label="Your sessions"
        rows={sessions}
        empty={<p className="text-sm text-soft">No active sessions.</p>}
        actions={({ id, current, user_agent }) => (
          <Button
            kind="quiet"
            aria-label={`End session ${id}, ${browserName(user_agent)}`}
            disabledBecause={current ? OWN : null}
            onClick={() => setEnded(String(id))}
          >
            End…
          </Button>
        )}
      />
      {ending && !ending.current && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setEnded(null)}
          title="End this session?"
          action="End session"
          busy={end.isPending}
          error={end.error}
          onConfirm={() => end.mutate(ending.id)}
        >
          <p>
            {browserName(ending.user_agent)} from {ending.address ?? 'an unknown address'} is signed out immediately. If
            you do not recognize this session, change your password too.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
