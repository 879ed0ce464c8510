import { bytes } from '@davit/api';
import { percent } from '../../util/amounts.ts';
import { LineChart } from './line-chart.tsx';
import { memoryLines } from './memory-lines.ts';
import type { Shown } from './plot-options.ts';

type Values = (number | null)[];

/** Measured CPU, memory and network usage of an app or a database. */
export interface Used {
  /** Times of the measurements in seconds since the epoch, ascending. */
  at: number[];
  from: number;
  to: number;
  cpu: Values;
  memory: Values;
  received: Values;
  sent: Values;
}

const perSecond = (value: number) => `${bytes(value)}/s`;

/** Renders charts of CPU, memory and network usage of an app or a database. */
export function UsedCharts({
  of: { at, from, to, cpu, memory, received, sent },
  limit = [],
  markers = [],
}: {
  of: Used;
  /** Memory limit at each time of the chart. `null` values are times without a limit. Default: no limit. */
  limit?: Values;
  markers?: Shown['markers'];
}) {
  const common = { at, from, to, markers };
  return (
    <>
      <LineChart
        {...common}
        title="CPU (% of one core)"
        say={percent}
        least={1}
        lines={[{ name: 'CPU', values: cpu, tone: 'accent', filled: true }]}
      />
      <LineChart {...common} title="Memory" inBytes say={bytes} least={2 ** 20} lines={memoryLines(memory, limit)} />
      <LineChart
        {...common}
        title="Network"
        inBytes
        say={perSecond}
        least={2 ** 10}
        lines={[
          { name: 'received', values: received, tone: 'accent' },
          { name: 'sent', values: sent, tone: 'good', dashed: true },
        ]}
      />
    </>
  );
}
