import type { Run, Schedule } from '@davit/api';
import type { Style } from '../output/paint.ts';
import type { ListView } from '../output/printer.ts';
import type { Field } from '../output/record.ts';
import { minute, statusWord } from '../output/words.ts';

const STYLES: Record<Run['status'], Style> = {
  running: 'cyan',
  succeeded: 'green',
  failed: 'red',
  cancelled: 'yellow',
  timed_out: 'red',
  skipped: 'dim',
};

export const runList: ListView<Run> = {
  columns: [
    { header: 'run', value: ({ id }) => id, align: 'right', style: () => 'bold' },
    { header: 'status', value: ({ status }) => statusWord(status), style: ({ status }) => STYLES[status] },
    { header: 'exit code', value: ({ exit_code }) => exit_code, align: 'right' },
    { header: 'by', value: ({ by, schedule }) => (schedule === null ? by : `schedule ${schedule}`) },
    { header: 'created', value: ({ created_at }) => minute(created_at) },
    { header: 'command', value: ({ command }) => command.join(' ') },
  ],
  id: ({ id }) => id,
  empty: 'No runs found. Run a command: davit run <app> -- <command>',
};

export function runFields(run: Run): Field[] {
  return [
    ['run', run.id, 'bold'],
    ['app', run.app],
    ['status', statusWord(run.status), STYLES[run.status]],
    ['exit code', run.exit_code],
    ['error', run.error ?? undefined, 'red'],
    ['command', run.command.join(' ')],
    ['release', run.deployment === null ? null : `deployment ${run.deployment}`],
    ['by', run.by],
    ['started', minute(run.started_at)],
    ['finished', minute(run.finished_at)],
    ['output', run.output?.split('\n').filter((line, index, lines) => line !== '' || index < lines.length - 1)],
  ];
}

export const scheduleList: ListView<Schedule> = {
  columns: [
    { header: 'schedule', value: ({ id }) => id, align: 'right', style: () => 'bold' },
    { header: 'name', value: ({ name }) => name },
    { header: 'cron', value: ({ cron, time_zone }) => (time_zone === 'UTC' ? cron : `${cron} ${time_zone}`) },
    { header: 'next run', value: ({ next_run_at, enabled }) => (enabled ? minute(next_run_at) : 'paused') },
    { header: 'last run', value: ({ last_run }) => last_run && statusWord(last_run.status) },
    { header: 'command', value: ({ command }) => command.join(' ') },
  ],
  id: ({ id }) => id,
  empty: 'No schedules found. Create a schedule: davit schedule create <app> <cron> -- <command>',
};

export function scheduleFields(schedule: Schedule): Field[] {
  return [
    ['schedule', schedule.id, 'bold'],
    ['app', schedule.app],
    ['name', schedule.name],
    ['cron', `${schedule.cron} (${schedule.time_zone})`],
    ['command', schedule.command.join(' ')],
    ['timeout', `${schedule.timeout_s} s`],
    ['next run', schedule.enabled ? minute(schedule.next_run_at) : 'paused'],
    ['last run', lastRunOf(schedule)],
    ['created', `${minute(schedule.created_at)} by ${schedule.created_by}`],
  ];
}

function lastRunOf({ last_run: last }: Schedule): string {
  return last === null ? 'never' : `${statusWord(last.status)}, run ${last.id}`;
}
