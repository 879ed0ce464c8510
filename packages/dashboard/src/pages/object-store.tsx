import { canObjectStore } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { query } from '../api.ts';
import { loadPresent } from '../components/app/use-present.ts';
import { BucketList } from '../components/object-stores/bucket-list.tsx';
import { StoreFromOutside } from '../components/object-stores/from-outside.tsx';
import { Objects } from '../components/object-stores/objects.tsx';
import { StoreActions } from '../components/object-stores/store-actions.tsx';
import { StoreCheckCard } from '../components/object-stores/store-check.tsx';
import { StoreFacts } from '../components/object-stores/store-facts.tsx';
import { StoreSettings } from '../components/object-stores/store-settings.tsx';
import { useStoreOfPage } from '../components/object-stores/use-store.ts';
import type { Created } from '../components/tasks/creations.ts';
import { FailedCreation } from '../components/tasks/failed-creation.tsx';
import { OpenTask } from '../components/tasks/open-task.tsx';
import { loadCreated, useCreation } from '../components/tasks/use-creation.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import { Notice } from '../ui/notice.tsx';
import { type SearchTab, SearchTabs, tabOf } from '../ui/search-tabs.tsx';
import { Status } from '../ui/status.tsx';
import { useName, useSearchText } from '../util/params.ts';
import { lazyPart } from '../util/part.ts';

const NewStore = lazyPart(() => import('../components/object-stores/new-store.tsx').then((file) => file.NewStore));

type Tab = 'overview' | 'buckets' | 'settings';

const TABS: readonly SearchTab<Tab>[] = [
  { value: 'overview', label: 'Overview' },
  { value: 'buckets', label: 'Buckets' },
  { value: 'settings', label: 'Settings' },
];

/**
 * Fetches the object store in the route loader. The loader does not wait for the list of buckets, because the S3 server
 * may be slow or unreachable.
 */
export async function load({ queries, params, search }: LoadArgs<{ object_store: string }>): Promise<void> {
  const path = { params: { object_store: params.object_store } };
  const store = loadPresent(queries, 'getObjectStore', path).then(({ status }) => {
    if (search.tab === 'buckets' && canObjectStore.use(status)) void queries.prefetchQuery(query('listBuckets', path));
  });
  await loadCreated(queries, resourceOf(path.params), store);
}

function resourceOf({ object_store: name }: { object_store: string }): Created {
  return { kind: 'object_store', name };
}

export function Page() {
  const params = { object_store: useName('object_store') };
  const resource = resourceOf(params);
  const answer = useQuery({ ...query('getObjectStore', { params }), retryOnMount: false });
  const creation = useCreation(resource, answer);
  if (creation === null) return <Existing />;
  const { name } = resource;
  const form = (onClose: () => void) => <NewStore again={name} onClose={onClose} />;
  return <FailedCreation name={name} creation={creation} form={form} />;
}

function Existing() {
  const { store } = useStoreOfPage();
  const [text] = useSearchText('tab');
  const [bucket] = useSearchText('bucket');
  const tab = tabOf(TABS, text);
  return (
    <Frame
      title={store.name}
      lead={
        <>
          <Status of={store.status} />
          {store.description !== '' && <span className="text-sm text-soft">{store.description}</span>}
        </>
      }
      actions={<StoreActions />}
      tabs={<SearchTabs label="Object store" tabs={TABS} current={tab} />}
    >
      {store.status_reason !== null && (
        <Notice tone={store.status === 'stopped' ? 'info' : 'warning'}>{store.status_reason}</Notice>
      )}
      <OpenTask id={store.task} />
      {tab === 'overview' && (
        <>
          <StoreFacts />
          <StoreCheckCard />
          {store.kind === 'managed' && <StoreFromOutside />}
        </>
      )}
      {tab === 'buckets' && (bucket === null ? <BucketList /> : <Objects key={bucket} bucket={bucket} />)}
      {tab === 'settings' && <StoreSettings />}
    </Frame>
  );
}
