import type { BackupSchedule } from '@davit/api';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query, useCall } from '../../api.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { say } from '../../ui/toast.tsx';
import { errorFor } from '../../util/field-error.ts';
import { useSettled } from '../../util/settled.ts';
import { TwoColumns } from '../app-settings/fields.tsx';
import { useDatabase } from '../databases/use-database.ts';
import { ScheduleTimesShown } from '../terminal/schedule-times.tsx';
import { TimeZoneField } from '../terminal/time-zone-field.tsx';
import { DestinationFields } from './destination-fields.tsx';
import {
  type BackupDraft,
  backupDraftOf,
  backupScheduleBody,
  missingInBackup,
  newBackupDraft,
} from './schedule-draft.ts';

const FIELDS = ['cron', 'time_zone', 'keep', 'verify_every_days', 'point_in_time'] as const;
const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Renders the form for the backup schedule of a database. `of` is the existing schedule that the form changes. If `of`
 * is `null`, the form creates a new schedule.
 */
export function BackupScheduleForm({ of, onClose }: { of: BackupSchedule | null; onClose: () => void }) {
  const { database, params } = useDatabase();
  const [draft, setDraft] = useState(() => (of ? backupDraftOf(of) : newBackupDraft(HERE)));
  const set = (part: Partial<BackupDraft>) => setDraft((before) => ({ ...before, ...part }));
  const save = useCall('putBackupSchedule', {
    changes: ['listBackupCoverage', 'getBackupSchedule'],
    onDone: () => {
      say('Saved the backup schedule.');
      onClose();
    },
  });
  const settled = useSettled(draft);
  const { cron, time_zone = 'UTC' } = backupScheduleBody(settled);
  const { data: times, error: wrongTimes } = useQuery({
    ...query('listScheduleTimes', { query: { cron, time_zone } }),
    enabled: cron !== '',
    retry: false,
    placeholderData: keepPreviousData,
  });
  const wrong = (field: 'cron' | 'time_zone') => errorFor(save.error, field) ?? errorFor(wrongTimes, field);
  return (
    <FormDialog
      wide
      title={`Backup schedule of ${database.name}`}
      description="The retention counts only successful backups. The schedule never deletes the last successful backup."
      action="Save schedule"
      busy={save.isPending}
      disabledBecause={missingInBackup(draft)}
      error={save.error}
      onEdit={save.reset}
      fields={FIELDS}
      noValidate
      onSubmit={() => save.mutate({ params, body: backupScheduleBody(draft) })}
      onClose={onClose}
    >
      <TwoColumns>
        <TextField
          label="Cron expression"
          mono
          autoFocus
          hint="minute hour day month weekday, or a name such as @daily"
          value={draft.cron}
          onChange={({ target }) => set({ cron: target.value })}
          error={wrong('cron')}
        />
        <TimeZoneField value={draft.timeZone} error={wrong('time_zone')} onChange={(timeZone) => set({ timeZone })} />
      </TwoColumns>
      <ScheduleTimesShown times={wrongTimes ? null : times?.times} cron={settled.cron} timeZone={time_zone} />
      <Keeping draft={draft} error={save.error} onChange={set} />
      <DestinationFields draft={draft} project={params.project} error={save.error} onChange={set} />
      {database.engine === 'postgres' && (
        <CheckField
          label="Point-in-time recovery"
          hint="Archives the write-ahead log, so that you can restore the database to any point in time. If you change this option, the database restarts."
          checked={draft.pointInTime}
          onChange={({ target }) => set({ pointInTime: target.checked })}
        />
      )}
    </FormDialog>
  );
}

interface Props {
  draft: BackupDraft;
  error: Error | null;
  onChange: (part: Partial<BackupDraft>) => void;
}

function Keeping({ draft, error, onChange }: Props) {
  return (
    <TwoColumns>
      <TextField
        label="Retention"
        note="backups"
        inputMode="numeric"
        value={draft.keep}
        onChange={({ target }) => onChange({ keep: target.value })}
        error={errorFor(error, 'keep')}
      />
      <TextField
        label="Verify every"
        note="days"
        inputMode="numeric"
        hint="Number of days between two verifications. To verify the newest backup, Davit restores it into a temporary database. Leave blank to turn verification off."
        value={draft.verifyEvery}
        onChange={({ target }) => onChange({ verifyEvery: target.value })}
        error={errorFor(error, 'verify_every_days')}
      />
    </TwoColumns>
  );
}
