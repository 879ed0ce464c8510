import type { Run, RunStatus } from '@davit/api';
import { duration } from '../../ui/time.tsx';

const LOOKS: Record<RunStatus, string> = {
  running: 'text-accent',
  succeeded: 'text-good',
  failed: 'text-error',
  cancelled: 'text-soft',
  timed_out: 'text-error',
  skipped: 'text-soft',
};

/** Renders the status of a command run. If the command failed, the exit code is shown too. */
export function RunResult({ run: { status, exit_code } }: { run: Pick<Run, 'status' | 'exit_code'> }) {
  return (
    <span className={`inline-flex items-center gap-1.5 md:whitespace-nowrap ${LOOKS[status]}`}>
      <span
        aria-hidden
        className={`size-2 shrink-0 rounded-full bg-current ${status === 'running' ? 'motion-safe:animate-pulse' : ''}`}
      />
      <span>
        {status.replace('_', ' ')}
        {status === 'failed' && exit_code !== null && ` · exit code ${exit_code}`}
      </span>
    </span>
  );
}

/** Formats the duration of a command run. Returns a dash if the command is still running or was skipped. */
export function took({ started_at, finished_at }: Pick<Run, 'started_at' | 'finished_at'>): string {
  if (started_at === null || finished_at === null) return '–';
  return duration(Date.parse(finished_at) - Date.parse(started_at));
}
