import type { AppMetrics, MetricEvent, MetricWindow } from '@davit/api';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAnswer } from '../../api.ts';
import { useHappened } from '../../live/live.ts';
import { useAppPath } from '../../util/params.ts';

/**
 * Interval in seconds at which the page loads the stored metrics of an app again. Live events do not contain all
 * percentiles of the response time.
 */
const READ_AGAIN_S = 60;

/** Returns the stored metrics of a time window, and the metric events that are newer than the last stored sample. */
export function useMetrics(window: MetricWindow): { metrics: AppMetrics; heard: readonly MetricEvent[] } {
  const params = useAppPath();
  const queries = useQueryClient();
  const metrics = useAnswer('getAppMetrics', { params, query: { window } });
  const [events, setEvents] = useState<readonly MetricEvent[]>([]);
  const reference = `${params.project}/${params.environment}/${params.app}`;
  useHappened(({ event, data }) => {
    if (event !== 'metric' || data.app !== reference) return;
    const newest = Date.parse(metrics.samples.at(-1)?.at ?? '');
    setEvents((before) => [...before.filter(({ at }) => Date.parse(at) > newest), data]);
    const behindS = (Date.parse(data.at) - newest) / 1_000;
    if (behindS < Math.max(READ_AGAIN_S, 2 * metrics.step_s)) return;
    void queries.invalidateQueries({ queryKey: ['getAppMetrics', params] });
  });
  return { metrics, heard: events };
}
