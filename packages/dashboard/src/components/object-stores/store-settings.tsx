import { useState } from 'react';
import { useCall } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Deed } from '../../ui/deed.tsx';
import { say } from '../../ui/toast.tsx';
import { GeneralForm } from '../things/general-form.tsx';
import { MoveStore, ReplaceKeys } from './linked-dialogs.tsx';
import { RemoveStore } from './remove-store.tsx';
import { endOf } from './store-end.ts';
import { useStoreOfPage } from './use-store.ts';

export function StoreSettings() {
  const { store, params, not } = useStoreOfPage();
  const save = useCall('patchObjectStore', {
    changes: ['getObjectStore', 'listObjectStores'],
    onDone: () => say('Saved.'),
  });
  return (
    <>
      <GeneralForm
        known={store}
        forbidden={not.describe}
        call={save}
        // Skip the connection check. Only the description changes, and the object store may be unreachable.
        send={(body, onSuccess) => save.mutate({ params, body, query: { check: 'false' } }, { onSuccess })}
      />
      {store.kind === 'linked' && <Changes />}
      <Danger />
    </>
  );
}

function Changes() {
  const { not } = useStoreOfPage();
  const [open, setOpen] = useState<'place' | 'keys' | null>(null);
  const onClose = () => setOpen(null);
  return (
    <Card title="Connection">
      <div className="divide-y divide-line">
        <Deed title="Endpoint" says="Endpoint, region and public endpoint of the store.">
          <Button disabledBecause={not.describe} onClick={() => setOpen('place')}>
            Change endpoint…
          </Button>
        </Deed>
        <Deed title="Keys" says="Attached apps get the new keys with their next deployment.">
          <Button disabledBecause={not.keys} onClick={() => setOpen('keys')}>
            Replace keys…
          </Button>
        </Deed>
      </div>
      {open === 'place' && <MoveStore onClose={onClose} />}
      {open === 'keys' && <ReplaceKeys onClose={onClose} />}
    </Card>
  );
}

function Danger() {
  const { store, not } = useStoreOfPage();
  const [open, setOpen] = useState(false);
  const end = endOf(store);
  return (
    <Card title="Danger zone">
      <Deed title={end.title} says={end.says}>
        <Button kind="danger" disabledBecause={not.delete} onClick={() => setOpen(true)}>
          {end.action}
        </Button>
      </Deed>
      {open && <RemoveStore name={store.name} end={end} onClose={() => setOpen(false)} />}
    </Card>
  );
}
