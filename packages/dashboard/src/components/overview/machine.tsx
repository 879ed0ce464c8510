import { bytes, type MachineMetrics, type MachineSample, type MetricWindow } from '@davit/api';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { query } from '../../api.ts';
import { useHappened } from '../../live/live.ts';
import { Problem } from '../../ui/problem.tsx';
import { percent } from '../../util/amounts.ts';
import { weekdayAndTime } from '../../util/local-time.ts';
import { useSearchText } from '../../util/params.ts';
import { Sparkline } from './sparkline.tsx';

const WINDOWS: readonly MetricWindow[] = ['1h', '6h', '24h', '7d'];
const WORDS: Record<MetricWindow, string> = { '1h': 'hour', '6h': '6 hours', '24h': '24 hours', '7d': '7 days' };

interface Chart {
  name: string;
  of: (sample: MachineSample, cores: number) => number | null;
  /** Returns the maximum of the chart's value axis. `null` means that the highest measured value is the maximum. */
  full: (metrics: MachineMetrics) => number | null;
  say: (value: number) => string;
}

function newest(metrics: MachineMetrics, of: (sample: MachineSample) => number | null): number | null {
  return metrics.samples.reduce<number | null>((found, sample) => of(sample) ?? found, null);
}

const CHARTS: readonly Chart[] = [
  {
    name: 'CPU',
    of: ({ cpu_percent }, cores) => (cpu_percent === null ? null : cpu_percent / cores),
    full: () => 100,
    say: percent,
  },
  {
    name: 'Memory',
    of: ({ memory_bytes }) => memory_bytes,
    full: (metrics) => newest(metrics, ({ memory_total_bytes }) => memory_total_bytes),
    say: bytes,
  },
  {
    name: 'Disk',
    of: ({ disk_bytes }) => disk_bytes,
    full: (metrics) => newest(metrics, ({ disk_total_bytes }) => disk_total_bytes),
    say: bytes,
  },
  {
    name: 'Network',
    of: ({ received_bytes_per_s: received, sent_bytes_per_s: sent }) =>
      received === null || sent === null ? null : received + sent,
    full: () => null,
    say: (value) => `${bytes(value)}/s`,
  },
];

/** Shows the resource usage of the server. The overview page does not wait until these metrics are loaded. */
export function Machine() {
  const [text, setWindow] = useSearchText('window');
  const window = WINDOWS.find((one) => one === text) ?? '1h';
  const metricsQuery = query('getInstanceMetrics', { query: { window } });
  const { data, error } = useQuery({ ...metricsQuery, placeholderData: keepPreviousData });
  useFresh(data);
  return (
    <section aria-labelledby="machine" className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-3">
        <h2 id="machine" className="text-[0.9375rem]">
          Server
        </h2>
        <Windows window={window} onChange={(next) => setWindow(next === '1h' ? null : next)} />
      </div>
      {error && <Problem error={error} />}
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {CHARTS.map((chart) => (
          <One key={chart.name} chart={chart} metrics={data} window={window} />
        ))}
      </div>
    </section>
  );
}

function Windows({ window, onChange }: { window: MetricWindow; onChange: (window: MetricWindow) => void }) {
  return (
    <fieldset className="flex gap-0.5 rounded-md bg-sunken p-0.5">
      <legend className="sr-only">Time range</legend>
      {WINDOWS.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === window}
          onClick={() => onChange(one)}
          className="min-h-6 rounded px-2 text-xs text-soft hover:text-text aria-pressed:bg-panel aria-pressed:text-text aria-pressed:shadow-panel"
        >
          {one}
        </button>
      ))}
    </fieldset>
  );
}

function One({ chart, metrics, window }: { chart: Chart; metrics: MachineMetrics | undefined; window: MetricWindow }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const values = useMemo(
    () => metrics?.samples.map((sample) => chart.of(sample, metrics.cores)) ?? [],
    [metrics, chart],
  );
  const moment = pointed === null ? undefined : metrics?.samples[pointed]?.at;
  const shown = (pointed === null ? undefined : values[pointed]) ?? null;
  const now = values.findLast((value) => value !== null) ?? null;
  const full = metrics ? chart.full(metrics) : null;
  const most = Math.max(...values.map((value) => value ?? 0), 0);
  const said = now === null ? 'no measurements' : `now ${chart.say(now)}, maximum ${chart.say(most)}`;
  return (
    <div className="flex flex-col justify-between overflow-hidden rounded-xl border border-line bg-panel pt-2.5 shadow-panel">
      <div className="flex flex-wrap items-baseline justify-between gap-x-2 px-3">
        <h3 className="text-xs font-medium text-soft">{chart.name}</h3>
        {moment && (
          <p aria-hidden className="text-xs text-soft tabular-nums">
            {weekdayAndTime(Date.parse(moment))} · {shown === null ? 'not measured' : chart.say(shown)}
          </p>
        )}
        <p className={`text-sm font-medium tabular-nums ${moment ? 'hidden' : ''}`}>
          {now === null ? '—' : chart.say(now)}
          {now !== null && full !== null && chart.name !== 'CPU' && (
            <span className="text-xs font-normal text-soft"> of {chart.say(full)}</span>
          )}
        </p>
      </div>
      <Sparkline
        values={values}
        full={full ?? (most || 1)}
        pointed={pointed}
        onPoint={setPointed}
        label={`${chart.name} over the last ${WORDS[window]}: ${said}`}
      />
    </div>
  );
}

/**
 * Fetches the metrics of the server again after a metric event, but not more often than the server stores new values.
 */
function useFresh(metrics: MachineMetrics | undefined): void {
  const queries = useQueryClient();
  const fetchedAt = useRef(Date.now());
  useHappened(({ event }) => {
    const step = (metrics?.step_s ?? 10) * 1_000;
    if (event !== 'machine' || Date.now() - fetchedAt.current < step) return;
    fetchedAt.current = Date.now();
    void queries.invalidateQueries({ queryKey: ['getInstanceMetrics'] });
  });
}
