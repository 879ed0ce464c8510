/**
 * Requests to an app through the proxy at a fixed rate, while something happens to it. The generator runs on a thread of
 * its own and is open loop: a request is sent when it is due, whether or not the ones before were answered, so that a
 * server which stalls is seen as requests that fail or wait, and not as fewer requests.
 */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { patience } from '@davit/testkit/waiting';
import type { Counts, Failure, TrafficClass } from './traffic-record.ts';

export type { Counts, Failure, TrafficClass } from './traffic-record.ts';

/** Requests a second, by class. */
export type Rates = Record<Exclude<TrafficClass, 'sse' | 'websocket'>, number>;

/** 320 requests a second. */
export const FULL_LOAD: Rates = { fresh: 100, 'keep-alive': 110, post: 40, slow: 10, h2c: 60 };
/** The same mixture for a machine that has other things to do. */
export const LIGHT_LOAD: Rates = { fresh: 25, 'keep-alive': 30, post: 10, slow: 5, h2c: 15 };

/** All classes together. */
export const requestsPerSecond = (rates: Rates): number => Object.values(rates).reduce((sum, rate) => sum + rate, 0);

export interface TrafficOptions {
  /** The proxy's port on 127.0.0.1. */
  port: number;
  /** The host of the app under test. */
  host: string;
  /** The host of another app: its event stream and its WebSocket must not break. */
  neighbour: string;
  rates?: Rates;
}

export interface TrafficReport {
  seconds: number;
  classes: Record<TrafficClass, Counts>;
  /** Answers by the tag of the release that gave them. */
  tags: Record<string, number>;
  /** Everything that was lost, by `class: kind`. */
  lost: Record<string, number>;
  lostInAll: number;
  sentInAll: number;
  /** The first of them. */
  failures: Failure[];
  /** The longest that a request was sent after it was due, in milliseconds: what the machine owed the generator. */
  latestMs: number;
  slowestMs: number;
}

export interface Traffic extends AsyncDisposable {
  /**
   * From now on every request that begins must be answered by this deployment or a newer one; an older one's answer is
   * counted as `stale`.
   */
  expect(deployment: number): void;
  report(): Promise<TrafficReport>;
  /** Sends nothing more, waits for what is under way, and answers the final report. */
  stop(): Promise<TrafficReport>;
}

/** Starts sending; resolves when every class has been answered once. */
export async function startTraffic(options: TrafficOptions): Promise<Traffic> {
  const workerData = { rates: FULL_LOAD, ...options };
  const worker = new Worker(new URL('./traffic-worker.ts', import.meta.url), { workerData });
  let failed: Error | null = null;
  worker.on('error', (error) => {
    failed = error as Error;
  });
  const ask = async (kind: 'report' | 'stop'): Promise<TrafficReport> => {
    if (failed) throw failed;
    worker.postMessage({ kind });
    const [report] = (await once(worker, 'message')) as [TrafficReport];
    return report;
  };
  try {
    await once(worker, 'message', { signal: patience() });
  } catch (cause) {
    await worker.terminate();
    throw new Error('start traffic: not every class was answered within 20 s', { cause });
  }
  return {
    expect: (deployment) => worker.postMessage({ kind: 'expect', deployment }),
    report: () => ask('report'),
    stop: async () => {
      const report = await ask('stop');
      await worker.terminate();
      return report;
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}

/** The lines that a person reads: one a class, then what was lost. */
export function trafficLines(report: TrafficReport): string[] {
  const classes = Object.entries(report.classes).map(([name, { sent, ok, lost, retried }]) => {
    const again = retried > 0 ? `, ${retried} sent again as the protocol says` : '';
    return `${name.padEnd(11)} ${String(sent).padStart(7)} sent ${String(ok).padStart(7)} answered ${String(lost).padStart(4)} lost${again}`;
  });
  const lost = Object.entries(report.lost).map(([kind, count]) => `lost ${kind}: ${count}`);
  return [...classes, ...lost];
}
