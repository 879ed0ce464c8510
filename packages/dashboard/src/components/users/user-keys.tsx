import { useAnswer, useCall } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { say } from '../../ui/toast.tsx';
import { useSearchText } from '../../util/params.ts';
import { KeysTable } from './keys-table.tsx';

export function UserKeys({ user }: { user: string }) {
  const keys = useAnswer('listUserKeys', { params: { user } });
  const [number, setNumber] = useSearchText('revoke');
  const revoking = keys.find(({ id }) => String(id) === number);
  const close = () => setNumber(null);
  const revoke = useCall('revokeUserKey', {
    changes: ['listUserKeys'],
    onDone: () => {
      say('The key is revoked.');
      close();
    },
  });
  return (
    <Card title="API keys" description={`Only ${user} can create one, and nobody sees its text again.`}>
      <KeysTable
        label={`API keys of ${user}`}
        rows={keys}
        empty={<p className="text-sm text-soft">{user} has no API key.</p>}
        actions={({ id, name }) => (
          <Button kind="quiet" aria-label={`Revoke ${name}`} onClick={() => setNumber(String(id))}>
            Revoke…
          </Button>
        )}
      />
      {revoking && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && close()}
          title={`Revoke the key “${revoking.name}” of ${user}?`}
          action="Revoke the key"
          typed={revoking.name}
          busy={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate({ params: { user, key: String(revoking.id) } })}
        >
          <p>Whatever uses it is refused from the next request on. It cannot be brought back.</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
