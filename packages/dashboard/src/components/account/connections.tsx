import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { say } from '../../ui/toast.tsx';
import { useSearchText } from '../../util/params.ts';
import { ConnectionsTable } from '../users/connections-table.tsx';
import { useOwnCall, useOwnConnections } from './own.ts';

export function Connections() {
  const connections = useOwnConnections();
  const [ended, setEnded] = useSearchText('disconnect');
  const ending = connections.find(({ id }) => String(id) === ended);
  const end = useOwnCall('endConnection', () => {
    say('Disconnected the client.');
    setEnded(null);
  });
  return (
    <Card
      title="Connected clients"
      description="Clients that can act on your behalf, such as AI assistants and editors. Access expires after 30 days without use."
    >
      <ConnectionsTable
        label="Connected clients"
        rows={connections}
        actions={({ id, client_name: name }) => (
          <Button kind="quiet" aria-label={`Disconnect ${name}`} onClick={() => setEnded(String(id))}>
            Disconnect…
          </Button>
        )}
        empty={
          <p className="text-sm text-soft">
            No connected clients. To connect a client, such as an AI assistant, enter this address in the client:{' '}
            <code className="font-mono">{`${location.origin}/mcp`}</code>. The client opens a page on which you choose
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
          <p>The client loses its access immediately. The client can request access again.</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
