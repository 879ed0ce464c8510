import type { Database } from '@davit/api';
import { Plus } from 'lucide-react';
import { query, useAnswer } from '../api.ts';
import { IfMay } from '../components/admin/if-may.tsx';
import { DataTabs } from '../components/databases/data-tabs.tsx';
import { DatabaseTable } from '../components/databases/database-table.tsx';
import { DatabaseTrash } from '../components/databases/trash.tsx';
import { NewDialogs } from '../components/projects/new-dialogs.tsx';
import { NEWEST_TASKS } from '../components/tasks/creations.ts';
import { FailedCreations } from '../components/tasks/failed-creations.tsx';
import { useForbidden } from '../layout/me.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import { Button } from '../ui/button.tsx';
import { Card, Empty } from '../ui/card.tsx';
import { Commands } from '../ui/copy.tsx';
import { useSearchText } from '../util/params.ts';

export async function load({ queries, search }: LoadArgs): Promise<void> {
  // Do not wait for the tasks, because the page uses them only to show databases whose creation failed.
  void queries.prefetchQuery(query('listTasks', NEWEST_TASKS));
  await Promise.all([
    queries.ensureQueryData(query('listDatabases')),
    queries.ensureQueryData(query('listProjects')),
    search.tab === 'trash' ? queries.ensureQueryData(query('listTrashedDatabases')) : null,
  ]);
}

export function Page() {
  const [tab] = useSearchText('tab');
  const [, open] = useSearchText('new');
  const projects = useAnswer('listProjects');
  const forbidden = useForbidden('administer');
  const nowhere =
    projects.length === 0 ? 'Create a project first. A database belongs to an environment of a project.' : null;
  const create = (
    <Button kind="primary" disabledBecause={forbidden ?? nowhere} onClick={() => open('database')}>
      <Plus className="size-4" aria-hidden /> New database…
    </Button>
  );
  return (
    <Frame title="Databases" actions={create} tabs={<DataTabs current={tab === 'trash' ? 'Trash' : 'Databases'} />}>
      {tab === 'trash' ? <DatabaseTrash /> : <Databases />}
      <NewDialogs />
    </Frame>
  );
}

function Databases() {
  const databases = useAnswer('listDatabases');
  return (
    <>
      <FailedCreations kind="database" existing={databases.map(({ reference }) => reference)} />
      <List databases={databases} />
    </>
  );
}

function List({ databases }: { databases: readonly Database[] }) {
  if (databases.length === 0) {
    return (
      <Empty title="No databases">
        <p>This page lists the databases that you can access.</p>
        <IfMay permission="administer" what="create a database">
          <p>Create a database for the apps of an environment here or with the command line:</p>
          <div className="text-left">
            <Commands lines={['davit database create shop/production/main postgres']} />
          </div>
        </IfMay>
      </Empty>
    );
  }
  return (
    <Card>
      <DatabaseTable databases={databases} empty={null} />
    </Card>
  );
}
