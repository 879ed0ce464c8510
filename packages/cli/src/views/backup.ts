import {
  type Backup,
  type BackupCoverage,
  type BackupDestination,
  type BackupSchedule,
  bytes,
  count,
} from '@davit/api';
import type { Style } from '../output/paint.ts';
import type { ListView } from '../output/printer.ts';
import type { Field } from '../output/record.ts';
import { minute } from '../output/words.ts';

const STYLES: Record<Backup['status'], Style> = { taking: 'cyan', succeeded: 'green', failed: 'red' };

export const backupList: ListView<Backup> = {
  columns: [
    { header: 'backup', value: ({ id }) => id, align: 'right', style: () => 'bold' },
    { header: 'database', value: ({ database }) => database },
    { header: 'status', value: ({ status }) => status, style: ({ status }) => STYLES[status] },
    { header: 'origin', value: ({ origin }) => origin },
    { header: 'started', value: ({ started_at }) => minute(started_at) },
    { header: 'size', value: ({ size_bytes }) => (size_bytes === null ? null : bytes(size_bytes)), align: 'right' },
    {
      header: 'verified',
      value: ({ verified }) => verifiedText(verified),
      style: ({ verified }) => verifiedStyle(verified),
    },
    { header: 'destination', value: ({ destination }) => destinationText(destination) },
  ],
  id: ({ id }) => id,
  empty:
    'No backups found. Take a backup with `davit backup take`, or set a schedule with `davit backup set-schedule`.',
};

function verifiedText(verified: Backup['verified']): string | null {
  if (verified === null) return null;
  return `${verified.ok ? 'ok' : 'FAILED'} ${minute(verified.at)}`;
}

function verifiedStyle(verified: Backup['verified']): Style | undefined {
  if (verified === null) return undefined;
  return verified.ok ? 'green' : 'red';
}

export function backupFields(backup: Backup): Field[] {
  return [
    ['backup', backup.id, 'bold'],
    ['database', `${backup.database}${backup.database_exists ? '' : ' (deleted)'}`],
    ['engine', `${backup.engine} ${backup.version}`],
    ['status', backup.status, STYLES[backup.status]],
    ['error', backup.error ?? undefined, 'red'],
    ['destination', `${destinationText(backup.destination)}: ${backup.key}`],
    ['size', backup.size_bytes === null ? undefined : bytes(backup.size_bytes)],
    ['dump size', backup.dump_bytes === null ? undefined : bytes(backup.dump_bytes)],
    ['verified', verifiedText(backup.verified) ?? 'never', verifiedStyle(backup.verified)],
    ['verification error', backup.verified?.error ?? undefined, 'red'],
    ['by', backup.by],
    ['started', minute(backup.started_at)],
    ['finished', minute(backup.finished_at)],
  ];
}

export const coverageList: ListView<BackupCoverage> = {
  columns: [
    { header: 'database', value: ({ database }) => database, style: () => 'bold' },
    { header: 'successful', value: ({ good }) => good, align: 'right' },
    { header: 'last successful', value: ({ last_good }) => minute(last_good?.at ?? null) },
    { header: 'last verified', value: ({ last_verified_at }) => minute(last_verified_at) },
    { header: 'next backup', value: ({ schedule }) => minute(schedule?.next_at ?? null) },
    { header: 'problem', value: ({ problem }) => problem ?? '', style: () => 'red' },
  ],
  id: ({ database }) => database,
  empty: 'No databases found.',
};

export function backupScheduleFields(schedule: BackupSchedule): Field[] {
  return [
    ['database', schedule.database, 'bold'],
    ['schedule', `${schedule.cron} ${schedule.time_zone}`],
    ['next backup', minute(schedule.next_at)],
    ['retention', count(schedule.keep, 'backup')],
    ['destination', destinationText(schedule.destination)],
    [
      'verification',
      schedule.verify_every_days === null ? 'never' : `every ${count(schedule.verify_every_days, 'day')}`,
    ],
    ['point-in-time recovery', schedule.point_in_time ? 'enabled' : undefined],
  ];
}

/** Formats the destination of a backup as a value of the command-line option `--to`. */
function destinationText(destination: BackupDestination): string {
  if (destination.kind === 'disk') return 'disk';
  return `${destination.object_store}/${destination.bucket}/${destination.prefix}`;
}
