import type { DatabaseMetrics } from '@davit/api';
import { useMemo } from 'react';
import { useAnswer } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { bytes, percent } from '../../util/amounts.ts';
import { useDatabasePath, useSearchText } from '../../util/params.ts';
import { windowOf } from '../app/metric-window.ts';
import { Windows } from '../app/windows.tsx';
import { LineChart } from '../charts/line-chart.tsx';
import { useReadAgain } from './read-again.ts';

const perSecond = (value: number) => `${bytes(value)}/s`;

/** What the database used, over time. */
export function DatabaseCharts() {
  const [text] = useSearchText('window');
  const params = useDatabasePath();
  const metrics = useAnswer('getDatabaseMetrics', { params, query: { window: windowOf(text) } });
  const again = useReadAgain('getDatabaseMetrics', params);
  const lines = useMemo(() => linesOf(metrics), [metrics]);
  const common = { at: lines.at, from: lines.from, to: lines.to };
  return (
    <section aria-label="Figures" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-[0.9375rem]">Use</h2>
        <div className="flex flex-wrap items-center gap-2">
          <Windows current={metrics.window} />
          <Button busy={again.busy} onClick={again.read}>
            Read again
          </Button>
        </div>
      </div>
      <div className="grid grid-cols-1 gap-3 md:grid-cols-2 xl:grid-cols-3">
        <LineChart
          {...common}
          title="CPU, of one core"
          say={percent}
          least={1}
          lines={[{ name: 'CPU', values: lines.cpu, tone: 'accent', filled: true }]}
        />
        <LineChart
          {...common}
          title="Memory"
          say={bytes}
          least={1_000_000}
          lines={[{ name: 'used', values: lines.memory, tone: 'accent', filled: true }]}
        />
        <LineChart
          {...common}
          title="Network"
          say={perSecond}
          least={1_000}
          lines={[
            { name: 'received', values: lines.received, tone: 'accent' },
            { name: 'sent', values: lines.sent, tone: 'good', dashed: true },
          ]}
        />
      </div>
    </section>
  );
}

function linesOf({ samples, step_s }: DatabaseMetrics) {
  const at = samples.map((one) => Date.parse(one.at) / 1_000);
  const to = at.at(-1) ?? 0;
  return {
    ...{ at, to, from: to - samples.length * step_s },
    cpu: samples.map((one) => one.cpu_percent),
    memory: samples.map((one) => one.memory_bytes),
    received: samples.map((one) => one.received_bytes_per_s),
    sent: samples.map((one) => one.sent_bytes_per_s),
  };
}
