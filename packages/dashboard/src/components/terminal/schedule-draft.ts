import type { Schedule, ScheduleCreate } from '@davit/api';
import { lineOf, wordsOf } from './command-words.ts';

/** A schedule as it is typed. */
export interface ScheduleDraft {
  name: string;
  cron: string;
  timeZone: string;
  command: string;
  timeout: string;
  enabled: boolean;
}

export const USUAL_TIMEOUT_S = '600';

/** @param timeZone where the reader is */
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

/** What has to be typed first, in a sentence; null: it can be sent. */
export function missingIn({ cron, command }: ScheduleDraft): string | null {
  if (cron.trim() === '') return 'Say when it runs first.';
  return wordsOf(command)?.length ? null : 'Type a command first; quotes must be closed.';
}

/** What is sent, for a new one and for one that is changed. What makes no sense is sent as it is: the server says so. */
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
