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
      say('Revoked the API key.');
      close();
    },
  });
  return (
    <Card title="API keys" description={`Only ${user} can create these keys. A key is shown once, when it is created.`}>
      <KeysTable
        label={`API keys of ${user}`}
        rows={keys}
        empty={<p className="text-sm text-soft">{user} has no API keys.</p>}
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
          title={`Revoke API key “${revoking.name}” of ${user}?`}
          action="Revoke key"
          typed={revoking.name}
          busy={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate({ params: { user, key: String(revoking.id) } })}
        >
          <p>Scripts and pipelines that use this key lose access immediately. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
