import { Plus } from 'lucide-react';
import { query, useAnswer } from '../api.ts';
import { LinkStore } from '../components/object-stores/link-store.tsx';
import { NewStore } from '../components/object-stores/new-store.tsx';
import { StoreTable } from '../components/object-stores/store-table.tsx';
import { StoreTrash } from '../components/object-stores/store-trash.tsx';
import { NEWEST_TASKS } from '../components/tasks/creations.ts';
import { FailedCreations } from '../components/tasks/failed-creations.tsx';
import { useForbidden } from '../layout/me.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import { Button } from '../ui/button.tsx';
import { Card, Empty } from '../ui/card.tsx';
import { useSearchText } from '../util/params.ts';

export async function load({ queries, search }: LoadArgs): Promise<void> {
  // Do not wait for the tasks, because the page uses them only to show object stores whose creation failed.
  void queries.prefetchQuery(query('listTasks', NEWEST_TASKS));
  await Promise.all([
    queries.ensureQueryData(query('listObjectStores')),
    queries.ensureQueryData(query('listProjects')),
    search.new === 'link' ? queries.ensureQueryData(query('listObjectStoreProviders')) : null,
  ]);
}

export function Page() {
  const all = useAnswer('listObjectStores');
  const stores = all.filter(({ status }) => status !== 'trash');
  const trash = all.filter(({ status }) => status === 'trash');
  const projects = useAnswer('listProjects');
  const [form, setForm] = useSearchText('new');
  const forbidden = useForbidden('administer');
  const nowhere =
    projects.length === 0 ? 'Create a project first. An object store belongs to an environment of a project.' : null;
  const onClose = () => setForm(null);
  return (
    <Frame
      title="Object stores"
      actions={
        <>
          <Button disabledBecause={forbidden} onClick={() => setForm('link')}>
            Link store…
          </Button>
          <Button kind="primary" disabledBecause={forbidden ?? nowhere} onClick={() => setForm('object-store')}>
            <Plus className="size-4" aria-hidden /> New store…
          </Button>
        </>
      }
    >
      <FailedCreations kind="object_store" existing={all.map(({ name }) => name)} />
      {stores.length === 0 ? (
        <Empty title="No object stores">
          <p>
            This page lists the object stores that you can access. Link an S3-compatible store, or create a store on
            this server. Apps can use its buckets. External stores can also hold backups.
          </p>
        </Empty>
      ) : (
        <Card>
          <StoreTable stores={stores} empty={null} />
        </Card>
      )}
      {trash.length > 0 && <StoreTrash stores={trash} />}
      {form === 'link' && forbidden === null && <LinkStore onClose={onClose} />}
      {form === 'object-store' && forbidden === null && <NewStore onClose={onClose} />}
    </Frame>
  );
}
