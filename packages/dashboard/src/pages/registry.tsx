import { allows } from '@davit/api';
import { query } from '../api.ts';
import { Credentials } from '../components/registry/credentials.tsx';
import { Images } from '../components/registry/images.tsx';
import { OwnRegistryCard } from '../components/registry/own-registry.tsx';
import { Repositories } from '../components/registry/repositories.tsx';
import { UnrecordedCard } from '../components/registry/unrecorded.tsx';
import { Volumes } from '../components/registry/volumes.tsx';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import { type SearchTab, SearchTabs, tabOf } from '../ui/search-tabs.tsx';
import { useSearchText } from '../util/params.ts';

type Tab = 'repositories' | 'images' | 'credentials' | 'volumes' | 'unrecorded';

const TABS: readonly SearchTab<Tab>[] = [
  { value: 'repositories', label: 'Repositories' },
  { value: 'images', label: 'Images' },
  { value: 'credentials', label: 'Credentials' },
  { value: 'volumes', label: 'Volumes' },
  { value: 'unrecorded', label: 'Orphaned' },
];

export async function load({ queries, search }: LoadArgs): Promise<void> {
  const tab = tabOf(TABS, typeof search.tab === 'string' ? search.tab : null);
  if (tab === 'images') await queries.ensureQueryData(query('listImages'));
  if (tab === 'volumes') await queries.ensureQueryData(query('listVolumes'));
  if (tab === 'credentials') {
    const { role } = await queries.ensureQueryData(query('getMe'));
    if (allows(role, 'administer'))
      await Promise.all([
        queries.ensureQueryData(query('listRegistries')),
        queries.ensureQueryData(query('listProjects')),
      ]);
  }
  if (tab === 'unrecorded') {
    const { role, projects } = await queries.ensureQueryData(query('getMe'));
    if (allows(role, 'administer') && projects === null)
      await Promise.all([
        queries.ensureQueryData(query('listUnrecorded')),
        queries.ensureQueryData(query('listProjects')),
      ]);
  }
  if (tab === 'repositories') {
    await Promise.all([
      queries.ensureQueryData(query('getOwnRegistry')),
      queries.ensureQueryData(query('listRepositories')),
      queries.ensureQueryData(query('listProjects')),
      queries.ensureQueryData(query('listApps')),
    ]);
  }
}

export function Page() {
  const [text] = useSearchText('tab');
  const tab = tabOf(TABS, text);
  return (
    <Frame title="Registry" tabs={<SearchTabs label="Registry" tabs={TABS} current={tab} />}>
      {tab === 'repositories' && (
        <>
          <OwnRegistryCard />
          <Repositories />
        </>
      )}
      {tab === 'images' && <Images />}
      {tab === 'credentials' && <Credentials />}
      {tab === 'volumes' && <Volumes />}
      {tab === 'unrecorded' && <UnrecordedCard />}
    </Frame>
  );
}
