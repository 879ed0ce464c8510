import { useState } from 'react';
import { useAnswer } from '../../api.ts';
import { useEarlier } from '../../earlier.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Empty } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ShowEarlier } from '../../ui/show-earlier.tsx';
import { Time } from '../../ui/time.tsx';
import { RestoreToMoment } from '../databases/deed-dialogs.tsx';
import { useDatabase } from '../databases/use-database.ts';
import { BackupDialogs } from './backup-dialogs.tsx';
import { BackupTable } from './backup-table.tsx';
import { ScheduleCard } from './schedule-card.tsx';

/** Shows the backups of a database and their schedule. */
export function DatabaseBackups() {
  const { database, params } = useDatabase();
  const backups = useEarlier('listDatabaseBackups', { params });
  const coverage = useAnswer('listBackupCoverage').find((one) => one.database === database.reference);
  return (
    <>
      {coverage && coverage.problem !== null && <Notice tone="warning">{coverage.problem}</Notice>}
      <ScheduleCard schedule={coverage?.schedule ?? null} />
      <PointInTime />
      <Card title="Backups" description="Encrypted as they are kept; a download is decrypted on its way.">
        <BackupTable
          isOne
          backups={backups.items}
          empty={
            <Empty title="No backup yet">
              <p>“Back up now” takes the first one while the database goes on serving.</p>
            </Empty>
          }
        />
        <ShowEarlier of={backups} />
      </Card>
      <BackupDialogs backups={backups.items} />
    </>
  );
}

/** Shows to which moments a PostgreSQL database can be restored, if its transaction log is stored. */
function PointInTime() {
  const { database, not } = useDatabase();
  const [open, setOpen] = useState(false);
  const found = useAnswer('listBackupCoverage').find((one) => one.database === database.reference)?.point_in_time;
  if (!found) return null;
  const { from, to, problem } = found;
  return (
    <Card
      title="Moments"
      description="Its log is kept: it can be restored to any moment in between, as a new database."
      actions={
        <Button
          disabledBecause={not.copy ?? (from === null ? 'There is no base yet to count moments from.' : null)}
          onClick={() => setOpen(true)}
        >
          Restore to a moment…
        </Button>
      }
    >
      {problem !== null && <Notice tone="warning">{problem}</Notice>}
      {from !== null && (
        <p className="text-sm">
          From <Time at={from} /> to {to === null ? 'now' : <Time at={to} />}
        </p>
      )}
      {open && <RestoreToMoment from={from} to={to} onClose={() => setOpen(false)} />}
    </Card>
  );
}
