import { z } from 'zod';
import { Timestamp } from './common.ts';
import { Command, Run, Timeout } from './run.ts';

const NICKNAMES = ['@hourly', '@daily', '@midnight', '@weekly', '@monthly', '@yearly', '@annually'] as const;

/** Only the form: what stands in the fields is read by the daemon, which has a parser for it. */
export const Cron = z
  .string()
  .max(255)
  .refine(isCronForm, `must be five fields, «minute hour day month weekday», or one of ${NICKNAMES.join(', ')}`)
  .describe('`minute hour day month weekday` in the schedule’s time zone, or a name such as `@daily`.');

function isCronForm(text: string): boolean {
  return (NICKNAMES as readonly string[]).includes(text) || /^\S+( +\S+){4}$/.test(text);
}

/** As the time zone database has it: an offset would not follow a zone's own changes. */
export const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be the name of a time zone, such as UTC or Europe/Berlin')
  .describe('An IANA time zone.');

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    // It throws for a name that is none, and has no other way to say so.
    return false;
  }
}

const Name = z.string().trim().min(1).max(100);

export const ScheduleCreate = z
  .strictObject({
    name: Name.nullable().default(null).describe('For people; two may have the same.'),
    cron: Cron,
    time_zone: TimeZone.default('UTC'),
    command: Command,
    timeout_s: Timeout.default(600),
    enabled: z.boolean().default(true).describe('False: it is kept and not run by itself.'),
  })
  .meta({ id: 'ScheduleCreate' });
export type ScheduleCreate = z.infer<typeof ScheduleCreate>;

export const SchedulePatch = z
  .strictObject({
    name: Name.nullable().optional(),
    cron: Cron.optional(),
    time_zone: TimeZone.nullable().optional().describe('Null: UTC.'),
    command: Command.optional(),
    timeout_s: Timeout.nullable().optional().describe('Null: 600.'),
    enabled: z.boolean().nullable().optional().describe('Null: true.'),
  })
  .meta({
    id: 'SchedulePatch',
    description: 'A JSON merge patch: what is absent stays, null goes back to the default.',
  });
export type SchedulePatch = z.infer<typeof SchedulePatch>;

export const ScheduleTimes = z
  .object({ times: z.array(Timestamp).describe('The next ones, at most five.') })
  .meta({ id: 'ScheduleTimes' });
export type ScheduleTimes = z.infer<typeof ScheduleTimes>;

export const Schedule = z
  .object({
    id: z.int().describe('Its number in paths; unique in the instance.'),
    app: z.string().describe('`project/environment/app`.'),
    name: z.string().nullable(),
    cron: z.string(),
    time_zone: z.string(),
    command: z.array(z.string()),
    timeout_s: z.int(),
    enabled: z.boolean(),
    next_run_at: Timestamp.nullable().describe('Null: it is not enabled.'),
    last_run: Run.nullable().describe('The newest of its runs, without its output; null: it has none yet.'),
    created_by: z.string().describe('The account that made it.'),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Schedule' });
export type Schedule = z.infer<typeof Schedule>;
