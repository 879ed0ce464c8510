import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { say } from '../../ui/toast.tsx';
import { useSearchText } from '../../util/params.ts';
import { ConnectionsTable } from '../users/connections-table.tsx';
import { useOwnCall, useOwnConnections } from './own.ts';

/** Lists the programs that the user allowed to access the instance. */
export function Connections() {
  const connections = useOwnConnections();
  const [ended, setEnded] = useSearchText('disconnect');
  const ending = connections.find(({ id }) => String(id) === ended);
  const end = useOwnCall('endConnection', () => {
    say('Disconnected the program.');
    setEnded(null);
  });
  return (
    <Card
      title="Connected programs"
      description="Agents and editors to which you gave access. Unused access expires after 30 days."
    >
      <ConnectionsTable
        label="Connected programs"
        rows={connections}
        actions={({ id, client_name: name }) => (
          <Button kind="quiet" aria-label={`Disconnect ${name}`} onClick={() => setEnded(String(id))}>
            Disconnect…
          </Button>
        )}
        empty={
          <p className="text-sm text-soft">
            No connected programs. Give an agent the address{' '}
            <code className="font-mono">{`${location.origin}/mcp`}</code>. The agent opens a page on which you choose
            its role and projects.
          </p>
        }
      />
      {ending && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setEnded(null)}
          title={`Disconnect ${ending.client_name}?`}
          action="Disconnect"
          busy={end.isPending}
          error={end.error}
          onConfirm={() => end.mutate(ending.id)}
        >
          <p>The program loses its access immediately. It can request access again.</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
