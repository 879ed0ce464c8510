import type { Backup, BackupCoverage, BackupDestination, BackupSchedule } from '@davit/api';
import type { Style } from '../output/paint.ts';
import type { ListView } from '../output/printer.ts';
import type { Field } from '../output/record.ts';
import { bytes, minute } from '../output/words.ts';

const STYLES: Record<Backup['status'], Style> = { taking: 'cyan', succeeded: 'green', failed: 'red' };

export const backupList: ListView<Backup> = {
  columns: [
    { header: 'backup', value: ({ id }) => id, align: 'right', style: () => 'bold' },
    { header: 'of', value: ({ database }) => database },
    { header: 'status', value: ({ status }) => status, style: ({ status }) => STYLES[status] },
    { header: 'why', value: ({ origin }) => origin },
    { header: 'at', value: ({ started_at }) => minute(started_at) },
    { header: 'size', value: ({ size_bytes }) => (size_bytes === null ? null : bytes(size_bytes)), align: 'right' },
    { header: 'tried', value: ({ verified }) => triedOf(verified), style: ({ verified }) => triedStyle(verified) },
    { header: 'where', value: ({ destination }) => destinationText(destination) },
  ],
  id: ({ id }) => id,
  empty: 'There is no backup: «davit backup take» makes one, «davit backup set-schedule» makes them by itself.',
};

function triedOf(verified: Backup['verified']): string | null {
  if (verified === null) return null;
  return `${verified.ok ? 'good' : 'BAD'} ${minute(verified.at)}`;
}

function triedStyle(verified: Backup['verified']): Style | undefined {
  if (verified === null) return undefined;
  return verified.ok ? 'green' : 'red';
}

export function backupFields(backup: Backup): Field[] {
  return [
    ['backup', backup.id, 'bold'],
    ['of', `${backup.database}${backup.database_exists ? '' : ' (gone)'}`],
    ['engine', `${backup.engine} ${backup.version}`],
    ['status', backup.status, STYLES[backup.status]],
    ['error', backup.error ?? undefined, 'red'],
    ['where', `${destinationText(backup.destination)}: ${backup.key}`],
    ['size', backup.size_bytes === null ? undefined : bytes(backup.size_bytes)],
    ['dump', backup.dump_bytes === null ? undefined : bytes(backup.dump_bytes)],
    ['tried', triedOf(backup.verified) ?? 'not yet: «davit backup verify» does', triedStyle(backup.verified)],
    ['why not', backup.verified?.error ?? undefined, 'red'],
    ['by', backup.by],
    ['started', minute(backup.started_at)],
    ['finished', minute(backup.finished_at)],
  ];
}

export const coverageList: ListView<BackupCoverage> = {
  columns: [
    { header: 'database', value: ({ database }) => database, style: () => 'bold' },
    { header: 'good', value: ({ good }) => good, align: 'right' },
    { header: 'last', value: ({ last_good }) => minute(last_good?.at ?? null) },
    { header: 'tried', value: ({ last_verified_at }) => minute(last_verified_at) },
    { header: 'next', value: ({ schedule }) => minute(schedule?.next_at ?? null) },
    { header: 'to be done', value: ({ problem }) => problem ?? '', style: () => 'red' },
  ],
  id: ({ database }) => database,
  empty: 'There is no database.',
};

export function backupScheduleFields(schedule: BackupSchedule): Field[] {
  return [
    ['database', schedule.database, 'bold'],
    ['times', `${schedule.cron} ${schedule.time_zone}`],
    ['next', minute(schedule.next_at)],
    ['kept', schedule.keep],
    ['where', destinationText(schedule.destination)],
    ['tried', schedule.verify_every_days === null ? 'never' : `every ${schedule.verify_every_days} days`],
    ['points in time', schedule.point_in_time ? 'kept' : undefined],
  ];
}

/** Formats a destination as in `--to`. */
function destinationText(destination: BackupDestination): string {
  if (destination.kind === 'disk') return 'disk';
  return `${destination.store}/${destination.bucket}/${destination.prefix}`;
}
