import { z } from 'zod';
import { Timestamp } from './common.ts';
import { Command, Run, Timeout } from './run.ts';

const NICKNAMES = ['@hourly', '@daily', '@midnight', '@weekly', '@monthly', '@yearly', '@annually'] as const;

/**
 * Cron expression. This schema checks the number of fields and their characters. The daemon checks the values of the
 * fields.
 */
export const Cron = z
  .string()
  .max(255)
  .refine(isCronForm, `must be five fields, “minute hour day month weekday”, or one of ${NICKNAMES.join(', ')}`)
  .describe(
    'Cron expression `minute hour day month weekday` in the time zone of the schedule, or a name such as `@daily`.',
  );

function isCronForm(text: string): boolean {
  return (NICKNAMES as readonly string[]).includes(text) || /^\S+( +\S+){4}$/.test(text);
}

/** IANA name of a time zone. UTC offsets are not allowed, because they do not follow daylight saving time. */
export const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be the name of a time zone, such as UTC or Europe/Berlin')
  .describe('IANA time zone, for example `Europe/Berlin`.');

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    // `Intl.DateTimeFormat` throws an error for an unknown time zone. JavaScript has no other check for time zones.
    return false;
  }
}

const Name = z.string().trim().min(1).max(100);

export const ScheduleCreate = z
  .strictObject({
    name: Name.nullable()
      .default(null)
      .describe('Display name of the schedule. Several schedules can have the same name.'),
    cron: Cron,
    time_zone: TimeZone.default('UTC'),
    command: Command,
    timeout_s: Timeout.default(600),
    enabled: z.boolean().default(true).describe('Whether the schedule is active.'),
  })
  .meta({ id: 'ScheduleCreate' });
export type ScheduleCreate = z.infer<typeof ScheduleCreate>;

export const SchedulePatch = z
  .strictObject({
    name: Name.nullable().optional(),
    cron: Cron.optional(),
    time_zone: TimeZone.nullable().optional().describe('IANA time zone. `null` restores the default, UTC.'),
    command: Command.optional(),
    timeout_s: Timeout.nullable()
      .optional()
      .describe('Timeout of the command in seconds. `null` restores the default, 600.'),
    enabled: z
      .boolean()
      .nullable()
      .optional()
      .describe('Whether the schedule is active. `null` resets the field to its default, `true`.'),
  })
  .meta({
    id: 'SchedulePatch',
    description: 'JSON merge patch. Absent fields do not change, and `null` restores the default.',
  });
export type SchedulePatch = z.infer<typeof SchedulePatch>;

export const ScheduleTimes = z
  .object({ times: z.array(Timestamp).describe('Next scheduled times, at most five.') })
  .meta({ id: 'ScheduleTimes' });
export type ScheduleTimes = z.infer<typeof ScheduleTimes>;

export const Schedule = z
  .object({
    id: z.int().describe('ID of the schedule. The ID is unique in the instance.'),
    app: z.string().describe('Address of the app: `project/environment/app`.'),
    name: z.string().nullable(),
    cron: z.string(),
    time_zone: z.string(),
    command: z.array(z.string()),
    timeout_s: z.int(),
    enabled: z.boolean(),
    next_run_at: Timestamp.nullable().describe('Time of the next run. `null` if the schedule is not active.'),
    last_run: Run.nullable().describe(
      'Newest run of the schedule, without its output. `null` if the schedule has no run yet.',
    ),
    created_by: z.string().describe('Name of the user who created the schedule.'),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Schedule' });
export type Schedule = z.infer<typeof Schedule>;
