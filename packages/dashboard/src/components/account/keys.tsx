import type { ApiKey, ApiKeyCreated } from '@davit/api';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card, Empty } from '../../ui/card.tsx';
import { Commands } from '../../ui/copy.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { say } from '../../ui/toast.tsx';
import { useSearchText } from '../../util/params.ts';
import { KeysTable } from '../users/keys-table.tsx';
import { CreateKey } from './create-key.tsx';
import { KeyShown } from './key-shown.tsx';
import { useOwnCall, useOwnKeys } from './own.ts';

/**
 * Lists the API keys of the signed-in user. Only the dialog that creates an API key shows the secret of this key. The
 * page does not store the secret elsewhere.
 */
export function OwnKeys() {
  const keys = useOwnKeys();
  const [isNew, setNew] = useSearchText('new');
  const [rotated, setRotated] = useSearchText('rotate');
  const [revoked, setRevoked] = useSearchText('revoke');
  const [made, setMade] = useState<ApiKeyCreated | null>(null);
  const find = (id: string | null) => keys.find((key) => String(key.id) === id);
  const [toRotate, toRevoke] = [find(rotated), find(revoked)];
  const show = (key: ApiKeyCreated) => {
    setMade(key);
    setNew(null);
  };
  return (
    <Card
      title="API keys"
      description="For scripts and pipelines. An API key never has more permissions than you have."
      actions={
        <Button kind="primary" onClick={() => setNew('1')}>
          <Plus className="size-4" aria-hidden /> New key
        </Button>
      }
    >
      <KeysTable
        label="Your API keys"
        rows={keys}
        empty={<NoKeys />}
        actions={({ id, name }) => (
          <span className="inline-flex gap-1">
            <Button kind="quiet" aria-label={`Rotate ${name}`} onClick={() => setRotated(String(id))}>
              Rotate…
            </Button>
            <Button kind="quiet" aria-label={`Revoke ${name}`} onClick={() => setRevoked(String(id))}>
              Revoke…
            </Button>
          </span>
        )}
      />
      {isNew !== null && made === null && <CreateKey wanted={isNew} onClose={() => setNew(null)} onMade={show} />}
      {made !== null && <KeyShown made={made} onClose={() => setMade(null)} />}
      {toRotate && <Rotate of={toRotate} onClose={() => setRotated(null)} onMade={setMade} />}
      {toRevoke && <Revoke of={toRevoke} onClose={() => setRevoked(null)} />}
    </Card>
  );
}

function Rotate({ of, onClose, onMade }: { of: ApiKey; onClose: () => void; onMade: (made: ApiKeyCreated) => void }) {
  const rotate = useOwnCall('rotateKey', (made) => {
    onMade(made);
    onClose();
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Rotate API key “${of.name}”?`}
      action="Rotate key"
      busy={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate(of.id)}
    >
      <p>The key gets a new secret, which is shown once. The old secret stops working immediately.</p>
      <p>The name, role, projects and expiry of the key do not change.</p>
    </ConfirmDialog>
  );
}

function Revoke({ of, onClose }: { of: ApiKey; onClose: () => void }) {
  const revoke = useOwnCall('revokeKey', () => {
    say(`Revoked API key “${of.name}”.`);
    onClose();
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Revoke API key “${of.name}”?`}
      action="Revoke key"
      typed={of.name}
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate(of.id)}
    >
      <p>Scripts and pipelines that use this key lose access immediately. This cannot be undone.</p>
    </ConfirmDialog>
  );
}

function NoKeys() {
  return (
    <Empty title="No API keys">
      <p>
        Create a key here for a script or a pipeline. On your own computer, this command creates a key automatically:
      </p>
      <Commands lines={[`davit login ${window.location.origin}`]} />
    </Empty>
  );
}
