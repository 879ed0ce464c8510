import { useAnswer, useCall } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { say } from '../../ui/toast.tsx';
import { useSearchText } from '../../util/params.ts';
import { ConnectionsTable } from './connections-table.tsx';

export function UserConnections({ user }: { user: string }) {
  const connections = useAnswer('listUserConnections', { params: { user } });
  const [number, setNumber] = useSearchText('disconnect');
  const ending = connections.find(({ id }) => String(id) === number);
  const close = () => setNumber(null);
  const end = useCall('endUserConnection', {
    changes: ['listUserConnections'],
    onDone: () => {
      say('Disconnected the client.');
      close();
    },
  });
  return (
    <Card
      title="Connected clients"
      description={`Clients that can act on behalf of ${user}, such as AI assistants and editors.`}
    >
      <ConnectionsTable
        label={`Connected clients of ${user}`}
        rows={connections}
        empty={<p className="text-sm text-soft">{user} has no connected clients.</p>}
        actions={({ id, client_name: name }) => (
          <Button kind="quiet" aria-label={`Disconnect ${name}`} onClick={() => setNumber(String(id))}>
            Disconnect…
          </Button>
        )}
      />
      {ending && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && close()}
          title={`Disconnect ${ending.client_name} of ${user}?`}
          action="Disconnect"
          busy={end.isPending}
          error={end.error}
          onConfirm={() => end.mutate({ params: { user, connection: String(ending.id) } })}
        >
          <p>The client loses its access immediately. The client can request access from {user} again.</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
