import { z } from 'zod';
import { BucketName } from './bucket-name.ts';
import { Slug, Timestamp, Via } from './common.ts';
import { DatabaseReference } from './database.ts';
import { Cron, TimeZone } from './schedule.ts';

const NewDatabase = DatabaseReference.describe('`project/environment/name`, of a database that does not exist yet.');

const Prefix = z
  .string()
  .max(200)
  .regex(
    /^$|^[A-Za-z0-9_][A-Za-z0-9_./-]*\/$/,
    'must be empty, or letters, digits, «_», «.», «-» and «/» with a «/» last',
  )
  .refine((text) => !text.split('/').some((part) => part === '.' || part === '..'), 'must not have «.» or «..» in it')
  .describe('What the keys begin with, such as `backups/`.');

export const BackupDestination = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('disk') }),
    z.strictObject({
      kind: z.literal('store'),
      store: Slug.describe('The name of an object store of the database’s project, or of the whole instance.'),
      bucket: BucketName,
      prefix: Prefix.default(''),
    }),
  ])
  .describe('`disk`: the folder `backups` of the data directory. `store`: a bucket of an object store.')
  .meta({ id: 'BackupDestination' });
export type BackupDestination = z.infer<typeof BackupDestination>;

/** `taking`: it is being written. `succeeded`: all of it arrived. `failed`: `error` says why; nothing of it is kept. */
export const BACKUP_STATUSES = ['taking', 'succeeded', 'failed'] as const;
export type BackupStatus = (typeof BACKUP_STATUSES)[number];

/** What a backup was made for. */
export const BACKUP_ORIGINS = ['manual', 'schedule', 'safety'] as const;
export type BackupOrigin = (typeof BACKUP_ORIGINS)[number];

const Verification = z.object({
  at: Timestamp,
  ok: z.boolean().describe('It was restored into a database made for it, and everything counted was there.'),
  error: z.string().nullable(),
});

export const Backup = z
  .object({
    id: z.int().describe('Its number in paths; never given again.'),
    database: z.string().describe('The database it is of, `project/environment/name`.'),
    database_exists: z.boolean().describe('False: the database is gone, and its backup can be restored as a new one.'),
    engine: z.string(),
    version: z.string().describe('Of the engine, when it was taken.'),
    kind: z
      .enum(['dump', 'base'])
      .describe('`dump`: as the engine’s own tool writes it. `base`: the files that points in time are counted from.'),
    origin: z
      .enum(BACKUP_ORIGINS)
      .describe(
        'What it was made for; `safety`: what was there before a restore in place. Only those of a schedule are counted by it.',
      ),
    status: z.enum(BACKUP_STATUSES),
    error: z.string().nullable().describe('Why it failed.'),
    destination: BackupDestination,
    key: z.string().describe('Its name there.'),
    size_bytes: z.int().nullable().describe('As it is kept, encrypted; null until it succeeded.'),
    dump_bytes: z.int().nullable().describe('What the tool wrote; so much a download has.'),
    verified: Verification.nullable().describe('Null: nobody has tried it yet.'),
    task: z.int().nullable().describe('The task that takes it; null once that is forgotten.'),
    by: z.string().describe('Who asked for it.'),
    via: Via,
    started_at: Timestamp,
    finished_at: Timestamp.nullable(),
  })
  .meta({ id: 'Backup' });
export type Backup = z.infer<typeof Backup>;

export const BackupTake = z
  .strictObject({
    destination: BackupDestination.optional().describe('Absent: where the schedule has them, or the disk.'),
  })
  .meta({ id: 'BackupTake' });
export type BackupTake = z.infer<typeof BackupTake>;

export const BackupSchedulePut = z
  .strictObject({
    cron: Cron,
    time_zone: TimeZone.default('UTC'),
    keep: z.int().min(1).max(1_000).default(7).describe('How many good ones of this schedule are kept.'),
    destination: BackupDestination.default({ kind: 'disk' }),
    verify_every_days: z
      .int()
      .min(1)
      .max(365)
      .nullable()
      .default(null)
      .describe(
        'After how many days the newest good one is restored into a database made for it. Null: never by itself.',
      ),
    point_in_time: z
      .boolean()
      .default(false)
      .describe(
        'PostgreSQL: keep its log as well, so that it can be restored to any moment since the oldest base that is kept. Switching it on restarts the database.',
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
    next_at: Timestamp.nullable().describe('Null: its time never comes again.'),
    missed: z
      .string()
      .nullable()
      .describe('Of the last time at which nothing was taken: why. Null once a later time was kept.'),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'BackupSchedule' });
export type BackupSchedule = z.infer<typeof BackupSchedule>;

const PointInTime = z.object({
  from: Timestamp.nullable().describe('The earliest moment; null until there is a base.'),
  to: Timestamp.nullable().describe('The latest moment that has arrived at the destination.'),
  problem: z.string().nullable(),
});

export const BackupCoverage = z
  .object({
    database: z.string(),
    engine: z.string(),
    good: z.int().describe('How many good backups there are.'),
    last_good: z.object({ backup: z.int(), at: Timestamp }).nullable(),
    last_verified_at: Timestamp.nullable().describe('When a backup of it was last restored and found whole.'),
    schedule: BackupSchedule.nullable(),
    point_in_time: PointInTime.nullable().describe('Null: its log is not kept.'),
    problem: z.string().nullable().describe('What is to be done, in a sentence; null: it is covered.'),
  })
  .meta({ id: 'BackupCoverage' });
export type BackupCoverage = z.infer<typeof BackupCoverage>;

const Confirm = z.string().max(100).describe('The database’s name, so that nobody replaces another one by a slip.');

export const BackupRestore = z
  .strictObject({
    into: NewDatabase.optional(),
    in_place: z.boolean().optional().describe('True: replace what the database has now.'),
    confirm: Confirm.optional(),
  })
  .refine(({ into, in_place }) => (into === undefined) === (in_place === true), {
    path: ['into'],
    error: 'must name a new database, or «in_place» must be true: one of the two',
  })
  .meta({ id: 'BackupRestore' });
export type BackupRestore = z.infer<typeof BackupRestore>;

export const PointInTimeRestore = z
  .strictObject({
    at: z.iso.datetime({ offset: true, error: 'must be an RFC 3339 time' }).describe('The moment, RFC 3339.'),
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
      .describe('A version that the engine is offered in, not older than the present one.'),
    confirm: z.string().max(100).describe('The database’s name: it is out of reach until the upgrade has ended.'),
  })
  .meta({ id: 'DatabaseUpgrade' });
export type DatabaseUpgrade = z.infer<typeof DatabaseUpgrade>;
