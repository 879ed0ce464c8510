import { isTerminal } from '@davit/api';
import { Check, CircleDashed, CircleSlash, X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Spinner } from '../../ui/spinner.tsx';
import { duration } from '../../ui/time.tsx';
import { useTick } from '../../util/tick.ts';
import { newestMoment, type Recorded, type StepState, type TimelineRow } from './timeline.ts';

const LOOKS: Record<StepState, { icon: ReactNode; word: string; bar: string; text: string }> = {
  done: {
    icon: <Check className="size-4 text-good" aria-hidden />,
    word: 'done',
    bar: 'bg-good',
    text: '',
  },
  failed: {
    icon: <X className="size-4 text-error" aria-hidden />,
    word: 'failed',
    bar: 'bg-error',
    text: 'text-error',
  },
  running: {
    icon: <Spinner />,
    word: 'running',
    bar: 'bg-accent motion-safe:animate-pulse',
    text: 'text-accent font-medium',
  },
  cut: {
    icon: <CircleSlash className="size-4 text-soft" aria-hidden />,
    word: 'interrupted',
    bar: 'bg-edge',
    text: '',
  },
  ahead: {
    icon: <CircleDashed className="size-4 text-soft" aria-hidden />,
    word: 'pending',
    bar: '',
    text: 'text-soft',
  },
};

/**
 * Renders the steps of a deployment or task, one row for each step with a bar and a duration. Two steps can have the
 * same name.
 */
export function StepRows({ rows }: { rows: readonly TimelineRow[] }) {
  return (
    <ol className="flex flex-col">
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are only added at the end
        <Row key={`${row.name} ${at}`} row={row} />
      ))}
    </ol>
  );
}

function Row({ row: { says, state, durationMs, error, from, length } }: { row: TimelineRow }) {
  const { icon, word, bar, text } = LOOKS[state];
  return (
    <li className="border-b border-line py-2 last:border-0" data-state={state}>
      <div className="grid grid-cols-[1.25rem_1fr_auto] items-center gap-x-2 text-sm sm:grid-cols-[1.25rem_minmax(11rem,16rem)_1fr_5rem]">
        <span className="grid size-5 place-items-center text-accent">{icon}</span>
        <span className={`min-w-0 ${text}`}>
          {says}
          <span className="sr-only">, {word}</span>
        </span>
        <span className="relative hidden h-2.5 rounded bg-sunken sm:block" aria-hidden>
          {state !== 'ahead' && (
            <span className={`absolute inset-y-0 rounded ${bar}`} style={{ left: `${from}%`, width: `${length}%` }} />
          )}
        </span>
        <span className="text-right text-xs text-soft tabular-nums">
          {durationMs === null ? '' : duration(durationMs)}
        </span>
      </div>
      {error !== null && <p className="mt-1 pl-7 text-sm break-words text-error">{error}</p>}
    </li>
  );
}

/**
 * Estimates the current time of the server, because the browser's clock may differ. The estimate starts from the newest
 * timestamp of a deployment or task.
 */
export function useServerTime(record: Recorded): number {
  const seen = useRef({ record: null as Recorded | null, aheadMs: Number.NEGATIVE_INFINITY });
  const tick = useTick(!isTerminal(record.status));
  if (seen.current.record !== record) {
    const aheadMs = Math.max(seen.current.aheadMs, newestMoment(record) - Date.now());
    seen.current = { record, aheadMs };
  }
  return tick + seen.current.aheadMs;
}
