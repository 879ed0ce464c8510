import { type BackupSchedule, count } from '@davit/api';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Facts } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { useDatabasePath, useSearchText } from '../../util/params.ts';
import { cronInWords } from '../terminal/cron-words.ts';
import { clockTime } from '../terminal/schedule-times.tsx';
import { destinationWords } from './backup-words.ts';
import { BackupScheduleForm } from './schedule-form.tsx';

export function ScheduleCard({ schedule }: { schedule: BackupSchedule | null }) {
  const forbidden = useForbidden('administer');
  const [open, setOpen] = useSearchText('schedule');
  const [removing, setRemoving] = useState(false);
  return (
    <Card
      title="Schedule"
      actions={
        <div className="flex flex-wrap gap-2">
          {schedule !== null && (
            <Button disabledBecause={forbidden} onClick={() => setRemoving(true)}>
              Remove…
            </Button>
          )}
          <Button disabledBecause={forbidden} onClick={() => setOpen('1')}>
            {schedule === null ? 'Schedule backups…' : 'Change schedule…'}
          </Button>
        </div>
      }
    >
      {schedule === null ? (
        <p className="text-sm text-soft">This database has no backup schedule.</p>
      ) : (
        <Schedule schedule={schedule} />
      )}
      {open !== null && forbidden === null && <BackupScheduleForm of={schedule} onClose={() => setOpen(null)} />}
      {removing && <RemoveSchedule onClose={() => setRemoving(false)} />}
    </Card>
  );
}

function Schedule({ schedule }: { schedule: BackupSchedule }) {
  const { cron, time_zone, keep, destination, verify_every_days, next_at, missed, point_in_time } = schedule;
  return (
    <div className="flex flex-col gap-3">
      {missed !== null && <Notice tone="warning">{missed}</Notice>}
      <Facts
        rows={[
          ['Times', `${cronInWords(cron) ?? cron} · ${time_zone}`],
          [
            'Next backup',
            next_at === null ? (
              'never'
            ) : (
              <span key="next">
                <Time at={next_at} /> <span className="text-soft">({clockTime(next_at, time_zone)})</span>
              </span>
            ),
          ],
          ['Retention', `${count(keep, 'successful backup')}`],
          ['Destination', destinationWords(destination)],
          ['Verification', verify_every_days === null ? 'only manually' : `every ${count(verify_every_days, 'day')}`],
          ...(point_in_time ? [['Point-in-time recovery', 'on'] as const] : []),
        ]}
      />
    </div>
  );
}

function RemoveSchedule({ onClose }: { onClose: () => void }) {
  const params = useDatabasePath();
  const remove = useCall('removeBackupSchedule', {
    changes: ['listBackupCoverage', 'getBackupSchedule'],
    onDone: () => {
      say('Removed the backup schedule.');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Remove the backup schedule of ${params.database}?`}
      action="Remove schedule"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params })}
    >
      <p>Davit creates no more scheduled backups of this database. Existing backups are kept.</p>
    </ConfirmDialog>
  );
}
