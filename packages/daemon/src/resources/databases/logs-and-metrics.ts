import type { DatabaseLogLines, DatabaseMetrics, MetricWindow } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import type { DatabaseRow } from '../../db/tables/managed-database.ts';
import { presentAppSample } from '../metrics/metric.ts';
import type { DatabasesDeps } from './deps.ts';

const LINES = 200;

/** Returns the newest log lines of a database container, oldest first. */
export async function readDatabaseLogs(
  { engine }: DatabasesDeps,
  _ctx: OpContext,
  { container_id }: DatabaseRow,
  tail = LINES,
): Promise<DatabaseLogLines> {
  const lines = container_id === null ? [] : await engine.lastLines(container_id, tail);
  return { lines: lines.map(({ at, stream, line }) => ({ at: at.toISOString(), stream, line })) };
}

/** Formats log lines as text. Each line of the text contains a timestamp and a message. */
export function textOfLines({ lines }: DatabaseLogLines): string {
  return lines.map(({ at, line }) => `${at} ${line}\n`).join('');
}

export function readDatabaseMetrics(
  { metrics }: DatabasesDeps,
  _ctx: OpContext,
  { id }: DatabaseRow,
  { window }: { window: MetricWindow },
): DatabaseMetrics {
  const { stepS, samples } = metrics.database(id, window);
  const presented = samples.map(({ at, sample }) => {
    const { replicas: _, ...figures } = presentAppSample(at, sample);
    return figures;
  });
  return { window, step_s: stepS, samples: presented };
}
