import type { DatabaseMetrics } from '@davit/api';
import { useMemo } from 'react';
import { useAnswer } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { useDatabasePath, useSearchText } from '../../util/params.ts';
import { windowOf } from '../app/metric-window.ts';
import { Windows } from '../app/windows.tsx';
import { type Used, UsedCharts } from '../charts/used-charts.tsx';
import { useReadAgain } from './read-again.ts';

export function DatabaseCharts() {
  const [text] = useSearchText('window');
  const params = useDatabasePath();
  const metrics = useAnswer('getDatabaseMetrics', { params, query: { window: windowOf(text) } });
  const again = useReadAgain('getDatabaseMetrics', params);
  const used = useMemo(() => usedIn(metrics), [metrics]);
  return (
    <section aria-label="Metrics" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-[0.9375rem]">Metrics</h2>
        <div className="flex flex-wrap items-center gap-2">
          <Windows current={metrics.window} />
          <Button busy={again.busy} onClick={again.read}>
            Refresh
          </Button>
        </div>
      </div>
      <div className="grid grid-cols-1 gap-3 md:grid-cols-2 xl:grid-cols-3">
        <UsedCharts of={used} />
      </div>
    </section>
  );
}

function usedIn({ samples, step_s }: DatabaseMetrics): Used {
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
