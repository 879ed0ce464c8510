import { Plus } from 'lucide-react';
import { query, useAnswer } from '../api.ts';
import { LinkStore } from '../components/stores/link-store.tsx';
import { StoreTable } from '../components/stores/store-table.tsx';
import { useForbidden } from '../layout/me.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../routes.tsx';
import { Button } from '../ui/button.tsx';
import { Card, Empty } from '../ui/card.tsx';
import { useSearchText } from '../util/params.ts';

export async function load({ queries, search }: LoadArgs): Promise<void> {
  await Promise.all([
    queries.ensureQueryData(query('listStores')),
    search.new === undefined ? null : queries.ensureQueryData(query('listStoreProviders')),
  ]);
}

export function Page() {
  const stores = useAnswer('listStores');
  const [link, setLink] = useSearchText('new');
  const forbidden = useForbidden('administer');
  const open = (
    <Button kind="primary" disabledBecause={forbidden} onClick={() => setLink('1')}>
      <Plus className="size-4" aria-hidden /> Link a store…
    </Button>
  );
  return (
    <Frame title="Object stores" actions={open}>
      {stores.length === 0 ? (
        <Empty title="No object store yet, or none that you see">
          <p>Link one that speaks S3: apps get its buckets as variables, and backups can be kept in it.</p>
        </Empty>
      ) : (
        <Card>
          <StoreTable stores={stores} empty={null} />
        </Card>
      )}
      {link !== null && forbidden === null && <LinkStore onClose={() => setLink(null)} />}
    </Frame>
  );
}
