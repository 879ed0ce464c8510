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

export function DatabaseBackups() {
  const { database, params } = useDatabase();
  const backups = useEarlier('listDatabaseBackups', { params });
  const coverage = useAnswer('listBackupCoverage').find((one) => one.database === database.reference);
  return (
    <>
      {coverage && coverage.problem !== null && <Notice tone="warning">{coverage.problem}</Notice>}
      <ScheduleCard schedule={coverage?.schedule ?? null} />
      <PointInTime />
      <Card title="Backups" description="Backups are stored encrypted. Downloads are decrypted.">
        <BackupTable
          isOne
          backups={backups.items}
          empty={
            <Empty title="No backups yet">
              <p>Choose “Back up now” to create the first backup. The database stays available during a backup.</p>
            </Empty>
          }
        />
        <ShowEarlier of={backups} />
      </Card>
      <BackupDialogs backups={backups.items} />
    </>
  );
}

/**
 * Shows the earliest and the latest time to which a PostgreSQL database can be restored. The card appears only if
 * point-in-time recovery is on.
 */
function PointInTime() {
  const { database, not } = useDatabase();
  const [open, setOpen] = useState(false);
  const found = useAnswer('listBackupCoverage').find((one) => one.database === database.reference)?.point_in_time;
  if (!found) return null;
  const { from, to, problem } = found;
  return (
    <Card
      title="Point-in-time recovery"
      description="You can restore any point in this time range into a new database."
      actions={
        <Button
          disabledBecause={
            not.copy ?? (from === null ? 'Point-in-time recovery needs a base backup, and none exists yet.' : null)
          }
          onClick={() => setOpen(true)}
        >
          Restore to point in time…
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
