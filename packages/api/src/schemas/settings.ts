import { z } from 'zod';
import { partial } from './partial.ts';

const MIB = 1024 * 1024;

/**
 * What an admin may set for the whole instance: every bound of what is kept, and of what callers may take. A default
 * each, so an empty object is the default instance.
 */
export const InstanceSettings = z
  .strictObject({
    logs: z
      .strictObject({
        bytes_per_app: z
          .int()
          .min(MIB)
          .max(1024 * 1024 * MIB)
          .default(256 * MIB)
          .describe('The most that the kept logs of one app take on disk, compressed.'),
        days: z.int().min(1).max(3_650).default(30).describe('How long lines are kept.'),
        daemon_bytes: z
          .int()
          .min(MIB)
          .max(1024 * MIB)
          .default(32 * MIB)
          .describe('From this size on the daemon’s own log is put aside, in place of the one before.'),
      })
      .prefault({}),
    metrics: z
      .strictObject({
        interval_s: z.int().min(5).max(300).default(10).describe('How often instances are measured.'),
      })
      .prefault({}),
    audit: z
      .strictObject({ days: z.int().min(30).max(3_650).default(400).describe('How long rows are kept.') })
      .prefault({}),
    deployments: z
      .strictObject({
        per_app: z.int().min(20).max(100_000).default(1_000).describe('How many records are kept of each app.'),
      })
      .prefault({}),
    runs: z
      .strictObject({
        per_app: z
          .int()
          .min(20)
          .max(10_000)
          .default(100)
          .describe('How many records are kept of commands of each app.'),
        per_schedule: z.int().min(1).max(1_000).default(20).describe('How many records are kept of each schedule.'),
      })
      .prefault({}),
    revisions: z
      .strictObject({
        per_app: z
          .int()
          .min(20)
          .max(100_000)
          .default(1_000)
          .describe('How many revisions are kept of each app, besides those that a kept deployment names.'),
      })
      .prefault({}),
    events: z
      .strictObject({
        kept: z.int().min(1_000).max(10_000_000).default(100_000).describe('How far back a stream can be resumed.'),
      })
      .prefault({}),
    images: z
      .strictObject({
        keep: z
          .int()
          .min(1)
          .max(1_000)
          .default(10)
          .describe('How many releases of an app keep their image, besides the live one.'),
        forget_pulled: z
          .boolean()
          .default(true)
          .describe('Whether the names under which images were pulled go with them; without, they stay on the disk.'),
      })
      .prefault({}),
    disk: z
      .strictObject({
        warn_percent: z.int().min(1).max(100).default(80).describe('From this use on the instance warns.'),
        refuse_percent: z.int().min(1).max(100).default(95).describe('From this use on no new release is deployed.'),
      })
      .refine(({ warn_percent, refuse_percent }) => warn_percent <= refuse_percent, {
        path: ['warn_percent'],
        error: 'must be at most refuse_percent',
      })
      .prefault({}),
    volumes: z
      .strictObject({
        trash_days: z.int().min(0).max(365).default(7).describe('How long a deleted volume can be brought back.'),
      })
      .prefault({}),
    api: z
      .strictObject({
        requests_per_minute: z
          .int()
          .min(60)
          .max(10_000_000)
          .default(600_000)
          .describe('Of one caller; what goes beyond is answered 429.'),
        streams_per_user: z.int().min(1).max(10_000).default(200).describe('Open event streams of one user.'),
      })
      .prefault({}),
  })
  .meta({ id: 'Settings', description: 'What an admin may set for the whole instance.' });
export type InstanceSettings = z.infer<typeof InstanceSettings>;

export const SettingsPatch = partial(InstanceSettings.shape).meta({
  id: 'SettingsPatch',
  description: 'A JSON merge patch: what is absent stays, null goes back to the default.',
});
export type SettingsPatch = z.infer<typeof SettingsPatch>;
