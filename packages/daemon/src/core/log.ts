/** What an app's instances wrote, merged in time order, with a bound on what is held at once. */
import { DavitError } from '@davit/api';
import type { OpContext } from '../context.ts';
import { EngineUnavailable, type LogLine } from '../engine/engine.ts';
import type { AppTarget } from '../release/app-target.ts';
import { deploymentsOfApp } from '../store/deployments.ts';
import { type InstanceRow, instancesOfApp } from '../store/instances.ts';
import type { Core } from './core.ts';
import { mergeInOrder } from './merge-in-order.ts';
import { NewestLines } from './newest-lines.ts';

/** A count of lines above this is cut to it; `all` is bounded by its size alone. */
const MOST_LINES = 10_000;
const MOST_BYTES = 10 * 1024 * 1024;

export interface LogAsk {
  /** A whole number of lines, or `all`. */
  tail: string;
  /** RFC 3339. */
  since?: string | undefined;
}

/**
 * The last lines of the live release's instances, else of the newest deployment's; a line each, its instance in front
 * when there are several.
 * @throws DavitError unavailable when the engine does not answer
 */
export async function readLogs(core: Core, ctx: OpContext, app: AppTarget, { tail, since }: LogAsk): Promise<string> {
  const instances = sources(core, app);
  const asked = tail === 'all' ? Number.POSITIVE_INFINITY : Number(tail);
  const limit = tail === 'all' ? asked : Math.min(asked, MOST_LINES);
  const lines = new NewestLines(limit, MOST_BYTES);
  const query = {
    // One more than is shown, to know whether any were left out.
    tail: tail === 'all' ? ('all' as const) : limit + 1,
    ...(since !== undefined && { since: new Date(since) }),
    signal: ctx.signal,
  };
  const streams = instances.map((row) =>
    named(row, instances.length > 1, core.engine.logs(row.container_id ?? row.name, query)),
  );
  try {
    for await (const { text } of mergeInOrder(streams, (a, b) => a.at - b.at)) lines.push(text);
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    throw new DavitError('unavailable', 'The engine does not answer: logs can be read when it is back.', {
      cause: error,
      retryAfterS: 5,
    });
  }
  return lines.wereCut && lines.length < asked ? `${cutNotice(lines.length)}${lines.text()}` : lines.text();
}

/** The instances whose lines are shown. */
function sources({ store }: Core, app: AppTarget): InstanceRow[] {
  const rows = instancesOfApp(store, app.id).filter((row) => row.role !== 'gone');
  const live = rows.filter((row) => row.role === 'active' && row.deployment_id === app.liveDeployment);
  if (live.length > 0) return live;
  const [newest] = deploymentsOfApp(store, app.id, 1);
  return rows.filter((row) => row.deployment_id === newest?.id);
}

interface Entry {
  at: number;
  text: string;
}

async function* named(row: InstanceRow, isOneOfSeveral: boolean, lines: AsyncIterable<LogLine>): AsyncGenerator<Entry> {
  const prefix = isOneOfSeveral ? `${row.deployment_id}-${row.ordinal} | ` : '';
  for await (const { at, line } of lines) yield { at: at.getTime(), text: `${prefix}${withoutNul(line)}` };
}

/** Colours and the like are the reader's to show; a NUL ends the text for too many of them. */
function withoutNul(line: string): string {
  return line.replaceAll('\u0000', '\uFFFD');
}

function cutNotice(kept: number): string {
  return `[earlier lines were left out: these are the last ${kept}, ask for fewer or for a time with «since»]\n`;
}
