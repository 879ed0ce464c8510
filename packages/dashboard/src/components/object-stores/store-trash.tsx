import type { ObjectStore } from '@davit/api';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { sayProblem } from '../../ui/toast.tsx';
import { RemoveStore } from './remove-store.tsx';
import { endOf } from './store-end.ts';

const COLUMNS: readonly Column<ObjectStore>[] = [
  { name: 'Store', cell: ({ name }) => <span className="font-medium break-all">{name}</span> },
  { name: 'Environment', wideOnly: true, cell: ({ project, environment }) => `${project}/${environment}` },
  { name: 'Deleted', cell: ({ deleted }) => deleted && <Time at={deleted.at} /> },
  { name: 'Deletion', wideOnly: true, cell: ({ deleted }) => deleted && <Time at={deleted.expires_at} /> },
  { name: 'Actions', hideName: true, end: true, cell: (store) => <RowActions store={store} /> },
];

/** Lists deleted object stores that users can still restore. */
export function StoreTrash({ stores }: { stores: readonly ObjectStore[] }) {
  return (
    <Card
      title="Trash"
      description="Deleted object stores with their objects. An object store stays in the trash for 7 days by default. Davit then deletes the object store permanently."
    >
      <Table label="Object stores in the trash" columns={COLUMNS} rows={stores} keyOf={({ name }) => name} />
    </Card>
  );
}

function RowActions({ store }: { store: ObjectStore }) {
  const { name } = store;
  const [destroying, setDestroying] = useState(false);
  const forbidden = useForbidden('administer');
  const navigate = useNavigate();
  const restore = useCall('restoreObjectStore', {
    changes: ['listObjectStores', 'getObjectStore'],
    onDone: () => void navigate({ to: paths.objectStore({ object_store: name }) }),
  });
  const end = endOf(store);
  const hidden = <span className="sr-only"> {name}</span>;
  return (
    <span className="flex flex-wrap justify-end gap-1">
      <Button
        kind="quiet"
        busy={restore.isPending}
        disabledBecause={forbidden}
        onClick={() => restore.mutate({ params: { object_store: name } }, { onError: sayProblem })}
      >
        Restore{hidden}
      </Button>
      <Button kind="quiet" disabledBecause={forbidden} onClick={() => setDestroying(true)}>
        {end.action}
        {hidden}
      </Button>
      {destroying && <RemoveStore name={name} end={end} onClose={() => setDestroying(false)} />}
    </span>
  );
}
