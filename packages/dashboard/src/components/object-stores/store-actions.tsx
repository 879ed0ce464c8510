import { Play, Square } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { useBeginStore, useStoreOfPage } from './use-store.ts';

export function StoreActions() {
  const { store, not } = useStoreOfPage();
  const [stopping, setStopping] = useState(false);
  const start = useBeginStore('startObjectStore');
  if (store.kind === 'linked' || store.status === 'trash') return null;
  return (
    <>
      <Button busy={start.busy} disabledBecause={not.start} onClick={start.press}>
        <Play className="size-4" aria-hidden /> Start
      </Button>
      <Button disabledBecause={not.stop} onClick={() => setStopping(true)}>
        <Square className="size-4" aria-hidden /> Stop…
      </Button>
      {stopping && <Stop onClose={() => setStopping(false)} />}
    </>
  );
}

function Stop({ onClose }: { onClose: () => void }) {
  const { store } = useStoreOfPage();
  const stop = useBeginStore('stopObjectStore', onClose);
  const apps = store.attachments.map(({ app }) => app);
  return (
    <FormDialog
      title={`Stop ${store.name}?`}
      description="Apps cannot connect until you start the store. Its objects are kept."
      action="Stop store"
      kind="danger"
      busy={stop.busy}
      error={stop.error}
      onSubmit={stop.send}
      onClose={onClose}
    >
      <p className="text-sm">
        {apps.length === 0 ? 'No app is attached.' : `Attached apps: ${[...new Set(apps)].join(', ')}.`}
      </p>
    </FormDialog>
  );
}
