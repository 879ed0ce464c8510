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
    say('The program has no access any more.');
    setEnded(null);
  });
  return (
    <Card
      title="Connected programs"
      description="Agents and editors that you let in through the browser. A month without use ends one by itself."
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
            None. Give an agent the address <code className="font-mono">{`${location.origin}/mcp`}</code>: it opens a
            page here on which you decide what it may do.
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
          <p>It has no access from its next request on. It may ask you for it again.</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
