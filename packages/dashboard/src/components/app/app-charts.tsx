import type { Deployment } from '@davit/api';
import { useMemo } from 'react';
import { useAnswer } from '../../api.ts';
import { percent, rate } from '../../util/amounts.ts';
import { useAppPath, useSearchText } from '../../util/params.ts';
import { LineChart } from '../charts/line-chart.tsx';
import { MarkerLegend } from '../charts/marker-legend.tsx';
import type { ChartMarker } from '../charts/plot-options.ts';
import { UsedCharts } from '../charts/used-charts.tsx';
import { type Traffic, trafficOf, usageOf } from './app-figures.ts';
import { FiguresTable } from './figures-table.tsx';
import { windowOf } from './metric-window.ts';
import { useMetrics } from './use-metrics.ts';
import { Windows } from './windows.tsx';

/** Tone and name of the markers of deployments. The shape of a marker distinguishes it from the lines of a chart. */
const MARK = {
  succeeded: { tone: 'text', kind: 'deployment' },
  failed: { tone: 'error', kind: 'failed deployment' },
  cancelled: { tone: 'soft', kind: 'cancelled deployment' },
} as const;

const ms = (value: number) => (value < 1_000 ? `${Math.round(value)} ms` : `${(value / 1_000).toFixed(1)} s`);

/** Renders charts of an app's requests and resource usage. The charts mark the end of each deployment. */
export function AppCharts() {
  const [text] = useSearchText('window');
  const params = useAppPath();
  const { metrics, heard: events } = useMetrics(windowOf(text));
  const deployments = useAnswer('listDeployments', { params });
  const usage = useMemo(() => usageOf(metrics, events), [metrics, events]);
  const traffic = useMemo(() => trafficOf(metrics, events), [metrics, events]);
  const markers = useMemo(() => deployments.flatMap(markerOf), [deployments]);
  return (
    <section aria-label="Metrics" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="mr-auto text-[0.9375rem]">Metrics</h2>
        <MarkerLegend markers={markers} from={usage.from} />
        <Windows current={metrics.window} />
      </div>
      <div className="grid grid-cols-1 gap-3 md:grid-cols-2 xl:grid-cols-3">
        <TrafficCharts traffic={traffic} markers={markers} />
        <UsedCharts of={usage} limit={usage.limit} markers={markers} />
      </div>
      <FiguresTable usage={usage} traffic={traffic} />
    </section>
  );
}

function TrafficCharts({ traffic, markers }: { traffic: Traffic; markers: ChartMarker[] }) {
  const common = { at: traffic.at, from: traffic.from, to: traffic.to, markers };
  const { rate: requests, p50, p95, p99, clientErrors, serverErrors } = traffic;
  return (
    <>
      <LineChart
        {...common}
        title="Request rate"
        say={rate}
        least={1}
        lines={[{ name: 'requests', values: requests, tone: 'accent', filled: true }]}
      />
      <LineChart
        {...common}
        title="Latency"
        say={ms}
        least={10}
        lines={[
          { name: 'p50', values: p50, tone: 'good' },
          { name: 'p95', values: p95, tone: 'accent' },
          { name: 'p99', values: p99, tone: 'warning', dashed: true },
        ]}
      />
      <LineChart
        {...common}
        title="Error rate"
        requests={requests}
        say={percent}
        least={1}
        lines={[
          { name: '5xx', values: serverErrors, tone: 'error', filled: true },
          { name: '4xx', values: clientErrors, tone: 'warning', dashed: true },
        ]}
      />
    </>
  );
}

/**
 * Returns a chart marker at the end time of a deployment. At this time, a successful deployment sends traffic to the
 * new release.
 */
function markerOf({ id, tag, status, finished_at: at }: Deployment): ChartMarker[] {
  if (at === null || !(status in MARK)) return [];
  const mark = MARK[status as keyof typeof MARK];
  return [{ at: Date.parse(at) / 1_000, says: `#${id} ${tag} ${status}`, ...mark }];
}
