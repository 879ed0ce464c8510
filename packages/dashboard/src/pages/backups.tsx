import { query } from '../api.ts';
import { BackupDialogs } from '../components/backups/backup-dialogs.tsx';
import { BackupTable } from '../components/backups/backup-table.tsx';
import { Coverage } from '../components/backups/coverage.tsx';
import { DataTabs } from '../components/databases/data-tabs.tsx';
import { loadEarlier, useEarlier } from '../earlier.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import { Card, Empty } from '../ui/card.tsx';
import { ShowEarlier } from '../ui/show-earlier.tsx';

export async function load({ queries, search }: LoadArgs): Promise<void> {
  await Promise.all([
    queries.ensureQueryData(query('listBackupCoverage')),
    loadEarlier(queries, 'listBackups', {}, search.pages),
  ]);
}

export function Page() {
  const backups = useEarlier('listBackups', {});
  return (
    <Frame title="Backups" tabs={<DataTabs current="Backups" />}>
      <Coverage />
      <Card
        title="Backups"
        description="This list includes backups of deleted databases. You can restore such a backup as a new database."
      >
        <BackupTable
          backups={backups.items}
          empty={
            <Empty title="No backups yet">
              <p>Create a backup or a backup schedule on the page of a database.</p>
            </Empty>
          }
        />
        <ShowEarlier of={backups} />
      </Card>
      <BackupDialogs backups={backups.items} />
    </Frame>
  );
}
