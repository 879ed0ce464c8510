import type { Schedule, ScheduleCreate } from '@davit/api';
import { lineOf, wordsOf } from './command-words.ts';

export interface ScheduleDraft {
  name: string;
  cron: string;
  timeZone: string;
  command: string;
  timeout: string;
  enabled: boolean;
}

export const USUAL_TIMEOUT_S = '600';

/**
 * Returns the default form values of a new schedule.
 * @param timeZone time zone of the browser
 */
export function newDraft(timeZone: string): ScheduleDraft {
  return { name: '', cron: '0 3 * * *', timeZone, command: '', timeout: USUAL_TIMEOUT_S, enabled: true };
}

export function draftOf({ name, cron, time_zone, command, timeout_s, enabled }: Schedule): ScheduleDraft {
  return {
    name: name ?? '',
    cron,
    timeZone: time_zone,
    command: lineOf(command),
    timeout: String(timeout_s),
    enabled,
  };
}

/**
 * Returns a message about the first missing or wrong field of the schedule form. Returns `null` if all fields are
 * valid.
 */
export function missingIn({ cron, command }: ScheduleDraft): string | null {
  if (cron.trim() === '') return 'Enter a cron expression first.';
  return wordsOf(command)?.length ? null : 'Enter a command, and close all quotes.';
}

/**
 * Converts the form for a schedule into a request body. Invalid values are sent unchanged, so that the server reports
 * the errors.
 */
export function bodyOf({ name, cron, timeZone, command, timeout, enabled }: ScheduleDraft): ScheduleCreate {
  return {
    name: name.trim() || null,
    cron: cron.trim().replace(/\s+/g, ' '),
    time_zone: timeZone.trim() || 'UTC',
    command: wordsOf(command) ?? [],
    timeout_s: Number(timeout),
    enabled,
  };
}
