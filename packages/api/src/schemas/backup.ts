import { z } from 'zod';
import { BucketName } from './bucket-name.ts';
import { Slug, Timestamp, Via } from './common.ts';
import { DatabaseReference } from './database.ts';
import { Cron, TimeZone } from './schedule.ts';

const NewDatabase = DatabaseReference.describe(
  'Address of the new database: `project/environment/name`. No database may have this address.',
);

const Prefix = z
  .string()
  .max(200)
  .regex(
    /^$|^[A-Za-z0-9_][A-Za-z0-9_./-]*\/$/,
    'must be empty, or letters, digits, “_”, “.”, “-” and “/” with a “/” last',
  )
  .refine((text) => !text.split('/').some((part) => part === '.' || part === '..'), 'must not have “.” or “..” in it')
  .describe('Prefix of the object keys, for example `backups/`.');

export const BackupDestination = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('disk') }),
    z.strictObject({
      kind: z.literal('object_store'),
      object_store: Slug.describe(
        'Name of an object store that belongs to the project of the database or to the whole instance.',
      ),
      bucket: BucketName,
      prefix: Prefix.default(''),
    }),
  ])
  .describe(
    'Destination of backups. `disk`: the folder `backups` of the data directory. `object_store`: a bucket of an object store.',
  )
  .meta({ id: 'BackupDestination' });
export type BackupDestination = z.infer<typeof BackupDestination>;

/**
 * `taking`: the backup is being written. `succeeded`: the backup is complete. `failed`: `error` has the reason, and no
 * data is kept.
 */
export const BACKUP_STATUSES = ['taking', 'succeeded', 'failed'] as const;
export type BackupStatus = (typeof BACKUP_STATUSES)[number];

/** Reason of a backup. */
export const BACKUP_ORIGINS = ['manual', 'schedule', 'safety'] as const;
export type BackupOrigin = (typeof BACKUP_ORIGINS)[number];

const Verification = z.object({
  at: Timestamp,
  ok: z.boolean().describe('Whether the backup was restored into a temporary database with all its data.'),
  error: z.string().nullable(),
});

export const Backup = z
  .object({
    id: z.int().describe('Number of the backup. It is never reused.'),
    database: z.string().describe('Address of the database at the time of the backup: `project/environment/name`.'),
    database_exists: z
      .boolean()
      .describe('Whether the database still exists. Otherwise the backup can only be restored into a new database.'),
    engine: z.string(),
    version: z.string().describe('Version of the database engine at the time of the backup.'),
    kind: z
      .enum(['dump', 'base'])
      .describe(
        'Kind of backup. `dump`: output of the dump tool of the engine. `base`: base backup for point-in-time recovery.',
      ),
    origin: z
      .enum(BACKUP_ORIGINS)
      .describe(
        'Origin of the backup. `manual`: requested by a user. `schedule`: made by the schedule, whose retention applies only to these. `safety`: made before a restore in place.',
      ),
    status: z.enum(BACKUP_STATUSES),
    error: z.string().nullable().describe('Reason of the failure. `null` if the backup did not fail.'),
    destination: BackupDestination,
    key: z.string().describe('Name of the backup at its destination: file name or object key.'),
    size_bytes: z.int().nullable().describe('Size of the encrypted backup in bytes. `null` until it has succeeded.'),
    dump_bytes: z.int().nullable().describe('Size of the dump in bytes, which is also the size of a download.'),
    verified: Verification.nullable().describe(
      'Result of the last verification. `null` if the backup was never verified.',
    ),
    task: z
      .int()
      .nullable()
      .describe('Number of the task that makes the backup. `null` if the task is no longer stored.'),
    by: z.string().describe('Name of the user who requested the backup.'),
    via: Via,
    started_at: Timestamp,
    finished_at: Timestamp.nullable(),
  })
  .meta({ id: 'Backup' });
export type Backup = z.infer<typeof Backup>;

export const BackupTake = z
  .strictObject({
    destination: BackupDestination.optional().describe(
      'Destination of the backup. Default: the destination of the backup schedule, or the disk if there is none.',
    ),
  })
  .meta({ id: 'BackupTake' });
export type BackupTake = z.infer<typeof BackupTake>;

export const BackupSchedulePut = z
  .strictObject({
    cron: Cron,
    time_zone: TimeZone.default('UTC'),
    keep: z.int().min(1).max(1_000).default(7).describe('Number of successful backups of this schedule that are kept.'),
    destination: BackupDestination.default({ kind: 'disk' }),
    verify_every_days: z
      .int()
      .min(1)
      .max(365)
      .nullable()
      .default(null)
      .describe(
        'Interval in days after which the newest successful backup is verified by restoring it into a temporary database. `null`: no automatic verification.',
      ),
    point_in_time: z
      .boolean()
      .default(false)
      .describe(
        'Whether to archive the write-ahead log for point-in-time recovery. Only for PostgreSQL. A change restarts the database.',
      ),
  })
  .meta({ id: 'BackupSchedulePut' });
export type BackupSchedulePut = z.infer<typeof BackupSchedulePut>;

export const BackupSchedule = z
  .object({
    database: z.string(),
    cron: z.string(),
    time_zone: z.string(),
    keep: z.int(),
    destination: BackupDestination,
    verify_every_days: z.int().nullable(),
    point_in_time: z.boolean(),
    next_at: Timestamp.nullable().describe(
      'Time of the next backup. `null` if the cron expression has no future time.',
    ),
    missed: z.string().nullable().describe('Reason why the last scheduled backup was not made. `null` if it was made.'),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'BackupSchedule' });
export type BackupSchedule = z.infer<typeof BackupSchedule>;

const PointInTime = z.object({
  from: Timestamp.nullable().describe(
    'Earliest time to which the database can be restored. `null` if no base backup exists yet.',
  ),
  to: Timestamp.nullable().describe(
    'Latest time to which the database can be restored. `null` if nothing was archived yet.',
  ),
  problem: z.string().nullable(),
});

export const BackupCoverage = z
  .object({
    database: z.string(),
    engine: z.string(),
    good: z.int().describe('Number of successful backups.'),
    last_good: z.object({ backup: z.int(), at: Timestamp }).nullable(),
    last_verified_at: Timestamp.nullable().describe(
      'Time of the last successful verification of a backup of this database. `null` if none was verified.',
    ),
    schedule: BackupSchedule.nullable(),
    point_in_time: PointInTime.nullable().describe(
      'Range of point-in-time recovery. `null` if point-in-time recovery is off.',
    ),
    problem: z
      .string()
      .nullable()
      .describe('Problem of the backups and what to do, in one or two sentences. `null` if there is none.'),
  })
  .meta({ id: 'BackupCoverage' });
export type BackupCoverage = z.infer<typeof BackupCoverage>;

const Confirm = z.string().max(100).describe('Name of the database, as a confirmation.');

export const BackupRestore = z
  .strictObject({
    into: NewDatabase.optional(),
    in_place: z.boolean().optional().describe('Whether to replace the present data of the database.'),
    confirm: Confirm.optional(),
  })
  .refine(({ into, in_place }) => (into === undefined) === (in_place === true), {
    path: ['into'],
    error: 'must name a new database, or “in_place” must be true: one of the two',
  })
  .meta({ id: 'BackupRestore' });
export type BackupRestore = z.infer<typeof BackupRestore>;

export const PointInTimeRestore = z
  .strictObject({
    at: z.iso
      .datetime({ offset: true, error: 'must be an RFC 3339 time' })
      .describe('Time to restore to, in RFC 3339 format.'),
    into: NewDatabase,
  })
  .meta({ id: 'PointInTimeRestore' });
export type PointInTimeRestore = z.infer<typeof PointInTimeRestore>;

export const DatabaseClone = z.strictObject({ into: NewDatabase }).meta({ id: 'DatabaseClone' });
export type DatabaseClone = z.infer<typeof DatabaseClone>;

export const DatabaseUpgrade = z
  .strictObject({
    version: z
      .string()
      .min(1)
      .max(20)
      .describe('New version. It must be an available version of the engine and not older than the present one.'),
    confirm: z
      .string()
      .max(100)
      .describe('Name of the database, as a confirmation. Apps cannot use the database during the upgrade.'),
  })
  .meta({ id: 'DatabaseUpgrade' });
export type DatabaseUpgrade = z.infer<typeof DatabaseUpgrade>;
