import { z } from 'zod';
import { BucketName } from './bucket-name.ts';
import { Slug, Timestamp, Via } from './common.ts';
import { DatabaseReference } from './database.ts';
import { Cron, TimeZone } from './schedule.ts';

const NewDatabase = DatabaseReference.describe(
  'Address of the new database: `project/environment/name`. The address must not be in use.',
);

const Prefix = z
  .string()
  .max(200)
  .regex(
    /^$|^[A-Za-z0-9_][A-Za-z0-9_./-]*\/$/,
    'must be empty, or contain only letters, digits, “_”, “.”, “-” and “/”, with a “/” at the end',
  )
  .refine(
    (text) => !text.split('/').some((part) => part === '.' || part === '..'),
    'must not contain “.” or “..” as a path segment',
  )
  .describe('Prefix for the object keys of the backups, for example `backups/`.');

export const BackupDestination = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('disk') }).meta({ id: 'DiskDestination' }),
    z
      .strictObject({
        kind: z.literal('object_store'),
        object_store: Slug.describe(
          'Name of the object store. It must belong to the same project as the database, or be available to all projects.',
        ),
        bucket: BucketName,
        prefix: Prefix.default(''),
      })
      .meta({ id: 'ObjectStoreDestination' }),
  ])
  .describe(
    'Destination of backups. `disk`: the folder `backups` of the data directory. `object_store`: a bucket of an object store.',
  )
  .meta({ id: 'BackupDestination' });
export type BackupDestination = z.infer<typeof BackupDestination>;

/**
 * Status of a backup. `taking`: Davit is writing the backup. `succeeded`: the backup is complete. `failed`: the backup
 * has no data, and `error` contains the reason.
 */
export const BACKUP_STATUSES = ['taking', 'succeeded', 'failed'] as const;
export type BackupStatus = (typeof BACKUP_STATUSES)[number];

/**
 * Reason for a backup. `safety`: Davit created the backup before it restored an older backup into the same database.
 */
export const BACKUP_ORIGINS = ['manual', 'schedule', 'safety'] as const;
export type BackupOrigin = (typeof BACKUP_ORIGINS)[number];

const Verification = z.object({
  at: Timestamp,
  ok: z.boolean().describe('Whether Davit could restore all data of the backup into a temporary database.'),
  error: z.string().nullable(),
});

export const Backup = z
  .object({
    id: z.int().describe('ID of the backup. Davit never reuses the ID.'),
    database: z.string().describe('Address of the database at the time of the backup: `project/environment/name`.'),
    database_exists: z
      .boolean()
      .describe(
        'Whether the database of the backup still exists. If not, you can only restore the backup into a new database.',
      ),
    engine: z.string(),
    version: z.string().describe('Version of the database server at the time of the backup.'),
    kind: z
      .enum(['dump', 'base'])
      .describe(
        'Kind of backup. `dump`: output of the dump tool of the database, for example `pg_dump`. `base`: base backup for point-in-time recovery.',
      ),
    origin: z
      .enum(BACKUP_ORIGINS)
      .describe(
        'Origin of the backup. `manual`: a user requested the backup. `schedule`: the backup schedule created the backup, and Davit later deletes the backup according to the retention of the schedule. `safety`: Davit created the backup before a restore replaced the data of the database.',
      ),
    status: z.enum(BACKUP_STATUSES),
    error: z.string().nullable().describe('Reason why the backup failed. `null` if the backup did not fail.'),
    destination: BackupDestination,
    key: z.string().describe('File name or object key of the backup at its destination.'),
    size_bytes: z
      .int()
      .nullable()
      .describe('Size of the encrypted backup in bytes. `null` until the backup has succeeded.'),
    dump_bytes: z.int().nullable().describe('Size of the decrypted dump in bytes. A download has this size.'),
    verified: Verification.nullable().describe(
      'Result of the last verification. `null` if the backup was never verified.',
    ),
    task: z
      .int()
      .nullable()
      .describe('ID of the task that creates the backup. `null` if the task is no longer stored.'),
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
      'Destination of the backup. Default: the destination of the backup schedule, or the disk of the server if there is no schedule.',
    ),
  })
  .meta({ id: 'BackupTake' });
export type BackupTake = z.infer<typeof BackupTake>;

export const BackupSchedulePut = z
  .strictObject({
    cron: Cron,
    time_zone: TimeZone.default('UTC'),
    keep: z
      .int()
      .min(1)
      .max(1_000)
      .default(7)
      .describe('Number of successful backups of this schedule that Davit keeps.'),
    destination: BackupDestination.default({ kind: 'disk' }),
    verify_every_days: z
      .int()
      .min(1)
      .max(365)
      .nullable()
      .default(null)
      .describe(
        'Interval of automatic verifications in days. A verification restores the newest successful backup into a temporary database. `null`: no automatic verification.',
      ),
    point_in_time: z
      .boolean()
      .default(false)
      .describe(
        'Whether to archive the write-ahead log for point-in-time recovery. Only for PostgreSQL. If you change this value, Davit restarts the database.',
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
      'Time of the next backup. `null` if the cron expression matches no time in the future.',
    ),
    missed: z
      .string()
      .nullable()
      .describe('Reason why Davit did not start the last scheduled backup. `null` if Davit started it.'),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'BackupSchedule' });
export type BackupSchedule = z.infer<typeof BackupSchedule>;

const PointInTime = z.object({
  from: Timestamp.nullable().describe(
    'Earliest time to which you can restore the database. `null` if no base backup exists yet.',
  ),
  to: Timestamp.nullable().describe(
    'Latest time to which you can restore the database. `null` if Davit has not archived the write-ahead log yet.',
  ),
  problem: z.string().nullable(),
});

export const BackupCoverage = z
  .object({
    database: z.string(),
    engine: z.string(),
    good: z.int().describe('Number of successful backups of the database.'),
    last_good: z.object({ backup: z.int(), at: Timestamp }).nullable(),
    last_verified_at: Timestamp.nullable().describe(
      'Time of the last successful verification of a backup of this database. `null` if no backup was verified.',
    ),
    schedule: BackupSchedule.nullable(),
    point_in_time: PointInTime.nullable().describe(
      'Time range of point-in-time recovery. `null` if point-in-time recovery is off.',
    ),
    problem: z
      .string()
      .nullable()
      .describe('What is wrong with the backups of the database, and what to do. `null` if there is no problem.'),
  })
  .meta({ id: 'BackupCoverage' });
export type BackupCoverage = z.infer<typeof BackupCoverage>;

const Confirm = z
  .string()
  .max(100)
  .describe('Name of the database. Required with `in_place`, to confirm that the backup replaces the current data.');

export const BackupRestore = z
  .strictObject({
    into: NewDatabase.optional(),
    in_place: z
      .boolean()
      .optional()
      .describe('Whether to restore the backup into its original database and replace the current data.'),
    confirm: Confirm.optional(),
  })
  .refine(({ into, in_place }) => (into === undefined) === (in_place === true), {
    path: ['into'],
    error:
      'must be the address of a new database. To restore into the original database, send “in_place” as true instead',
  })
  .meta({ id: 'BackupRestore' });
export type BackupRestore = z.infer<typeof BackupRestore>;

export const PointInTimeRestore = z
  .strictObject({
    at: z.iso
      .datetime({ offset: true, error: 'must be an RFC 3339 time' })
      .describe('Time to which Davit restores the database, in RFC 3339 format.'),
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
      .describe(
        'New version of the database server. It must be available on this instance and not older than the current version.',
      ),
    confirm: z
      .string()
      .max(100)
      .describe('Name of the database, to confirm the upgrade. Apps cannot use the database during the upgrade.'),
  })
  .meta({ id: 'DatabaseUpgrade' });
export type DatabaseUpgrade = z.infer<typeof DatabaseUpgrade>;
