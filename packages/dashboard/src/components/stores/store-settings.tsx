import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Deed } from '../../ui/deed.tsx';
import { ConfirmDialog, FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { say } from '../../ui/toast.tsx';
import { errorFor } from '../../util/field-error.ts';
import { useStoreOfPage } from './use-store.ts';

/** What can be done with a store that has weight. */
export function StoreSettings() {
  const { store, administer } = useStoreOfPage();
  const [open, setOpen] = useState<'describe' | 'keys' | 'delete' | null>(null);
  const onClose = () => setOpen(null);
  const managed = store.kind === 'managed' ? 'Its keys are made here.' : null;
  return (
    <>
      <Card title="Changes">
        <div className="divide-y divide-line">
          <Deed title="Description" says={store.description || 'It has none yet.'}>
            <Button disabledBecause={administer} onClick={() => setOpen('describe')}>
              Describe it…
            </Button>
          </Deed>
          <Deed title="Keys" says="Apps that have its buckets get the new ones with their next deploy.">
            <Button disabledBecause={administer ?? managed} onClick={() => setOpen('keys')}>
              Replace the keys…
            </Button>
          </Deed>
        </div>
      </Card>
      <Card title="Danger">
        <Deed
          title={store.kind === 'linked' ? 'Forget the store' : 'Delete the store'}
          says={
            store.kind === 'linked'
              ? 'Its keys are forgotten here; its objects stay where they are.'
              : 'It comes to the trash with what it has; from there it is deleted for good.'
          }
        >
          <Button kind="danger" disabledBecause={administer} onClick={() => setOpen('delete')}>
            {store.kind === 'linked' ? 'Forget it…' : 'Delete it…'}
          </Button>
        </Deed>
      </Card>
      {open === 'describe' && <Describe onClose={onClose} />}
      {open === 'keys' && <Keys onClose={onClose} />}
      {open === 'delete' && <Remove onClose={onClose} />}
    </>
  );
}

interface Props {
  onClose: () => void;
}

function useChange(said: string, onClose: () => void) {
  return useCall('patchStore', {
    changes: ['getStore', 'listStores', 'getStoreCredentials'],
    onDone: () => {
      say(said);
      onClose();
    },
  });
}

function Describe({ onClose }: Props) {
  const { store, params } = useStoreOfPage();
  const [description, setDescription] = useState(store.description);
  const change = useChange('Saved.', onClose);
  return (
    <FormDialog
      title={`Describe ${store.name}`}
      action="Save the description"
      busy={change.isPending}
      error={change.error}
      fields={['description']}
      onSubmit={() => change.mutate({ params, body: { description }, query: { check: 'false' } })}
      onClose={onClose}
    >
      <TextField
        label="Description"
        value={description}
        onChange={({ target }) => setDescription(target.value)}
        error={errorFor(change.error, 'description')}
      />
    </FormDialog>
  );
}

function Keys({ onClose }: Props) {
  const { store, params } = useStoreOfPage();
  const [keys, setKeys] = useState({ access_key: '', secret_key: '' });
  const change = useChange(`${store.name} took the keys.`, onClose);
  const missing = keys.access_key === '' || keys.secret_key === '' ? 'Fill in both keys first.' : null;
  return (
    <FormDialog
      title={`Replace the keys of ${store.name}`}
      description="The store is asked with them first."
      action="Check and keep them"
      busy={change.isPending}
      disabledBecause={missing}
      error={change.error}
      fields={['access_key', 'secret_key']}
      onSubmit={() => change.mutate({ params, body: keys })}
      onClose={onClose}
    >
      <TextField
        label="Access key"
        mono
        value={keys.access_key}
        onChange={({ target }) => setKeys({ ...keys, access_key: target.value.trim() })}
        error={errorFor(change.error, 'access_key')}
      />
      <TextField
        label="Secret key"
        type="password"
        autoComplete="new-password"
        mono
        value={keys.secret_key}
        onChange={({ target }) => setKeys({ ...keys, secret_key: target.value.trim() })}
        error={errorFor(change.error, 'secret_key')}
      />
    </FormDialog>
  );
}

function Remove({ onClose }: Props) {
  const { store, params } = useStoreOfPage();
  const navigate = useNavigate();
  const remove = useCall('deleteStore', {
    changes: ['listStores'],
    onDone: () => {
      say(store.kind === 'linked' ? `${store.name} is forgotten.` : `${store.name} is deleted.`);
      void navigate({ to: paths.stores() });
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={store.kind === 'linked' ? `Forget ${store.name}?` : `Delete ${store.name}?`}
      action={store.kind === 'linked' ? 'Forget the store' : 'Delete the store'}
      typed={store.name}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params, query: { confirm: store.name } })}
    >
      <p>It is refused while an app, a backup or a schedule uses it.</p>
    </ConfirmDialog>
  );
}
