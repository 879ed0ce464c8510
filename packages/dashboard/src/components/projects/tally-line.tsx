import { Status } from '../../ui/status.tsx';
import type { Tally } from './tally.ts';

/** Renders the number of apps with each status, for example `1 down 2 running`. */
export function TallyLine({ tally }: { tally: Tally }) {
  if (tally.total === 0) return <span className="text-soft">no apps yet</span>;
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
