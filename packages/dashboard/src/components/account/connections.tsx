import type { Connection } from '@davit/api';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { useSearchText } from '../../util/params.ts';
import { projectsInWords } from '../users/rights.ts';
import { useOwnCall, useOwnConnections } from './own.ts';

const columns: readonly Column<Connection>[] = [
  {
    name: 'Program',
    cell: ({ client_name: name, client_id: id }) => (
      <>
        {name}
        <span className="block text-xs break-all text-soft">{new URL(id).host}</span>
      </>
    ),
  },
  { name: 'May', cell: ({ role, projects }) => `${role} in ${projectsInWords(projects)}` },
  { name: 'Let in', wideOnly: true, cell: ({ created_at: at }) => <Time at={at} /> },
  { name: 'Last used', cell: ({ last_used_at: at }) => (at === null ? 'not yet' : <Time at={at} />) },
  { name: 'End', hideName: true, end: true, cell: (connection) => <End connection={connection} /> },
];

/** Programs that asked for access in the browser, and were let in. */
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
      <Table
        label="Connected programs"
        columns={columns}
        rows={connections}
        keyOf={({ id }) => id}
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

function End({ connection: { id, client_name: name } }: { connection: Connection }) {
  const [, setEnded] = useSearchText('disconnect');
  return (
    <Button kind="quiet" aria-label={`Disconnect ${name}`} onClick={() => setEnded(String(id))}>
      Disconnect…
    </Button>
  );
}
