import { Status } from '../../ui/status.tsx';
import type { Tally } from './tally.ts';

/** «1 down  2 running»; nothing: that. */
export function TallyLine({ tally }: { tally: Tally }) {
  if (tally.total === 0) return <span className="text-soft">no app yet</span>;
  return (
    <span className="flex flex-wrap gap-x-3">
      {tally.parts.map(([status, n]) => (
        <span key={status} className="inline-flex items-center gap-1.5 tabular-nums">
          {n}
          <Status of={status} />
        </span>
      ))}
    </span>
  );
}
