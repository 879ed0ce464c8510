/**
 * Sends requests to an app through the proxy at a fixed rate, while a test changes the app. The generator runs in a
 * separate thread and is open loop: each request is sent when it is due, whether or not earlier requests were answered.
 * A server that stalls therefore shows as failed or slow requests, and not as fewer requests.
 */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { patience } from '@davit/testkit/waiting';
import type { Counts, Failure, TrafficClass } from './traffic-record.ts';

export type { Counts, Failure, TrafficClass } from './traffic-record.ts';

/** Requests per second, by class. */
export type Rates = Record<Exclude<TrafficClass, 'sse' | 'websocket'>, number>;

/** Rates with 320 requests per second in total. */
export const FULL_LOAD: Rates = { fresh: 100, 'keep-alive': 110, post: 40, slow: 10, h2c: 60 };
/** The same mixture with lower rates, for a machine with other work. */
export const LIGHT_LOAD: Rates = { fresh: 25, 'keep-alive': 30, post: 10, slow: 5, h2c: 15 };

/** Returns the total rate of all classes. */
export const requestsPerSecond = (rates: Rates): number => Object.values(rates).reduce((sum, rate) => sum + rate, 0);

export interface TrafficOptions {
  /** Port of the proxy on 127.0.0.1. */
  port: number;
  /** Host of the app under test. */
  host: string;
  /** Host of another app, whose event stream and WebSocket must not break. */
  neighbour: string;
  rates?: Rates;
}

export interface TrafficReport {
  seconds: number;
  classes: Record<TrafficClass, Counts>;
  /** Number of responses by the tag of the release that sent them. */
  tags: Record<string, number>;
  /** Number of lost requests, by `class: kind`. */
  lost: Record<string, number>;
  lostInAll: number;
  sentInAll: number;
  /** Details of the first failures. */
  failures: Failure[];
  /**
   * Longest delay in milliseconds between the due time of a request and its sending. The delay shows how busy the
   * machine was.
   */
  latestMs: number;
  slowestMs: number;
}

export interface Traffic extends AsyncDisposable {
  /**
   * From now on, every new request must be answered by this deployment or a newer one. A response of an older
   * deployment counts as `stale`.
   */
  expect(deployment: number): void;
  report(): Promise<TrafficReport>;
  /** Stops sending, waits for requests in progress, and returns the final report. */
  stop(): Promise<TrafficReport>;
}

/** Starts sending, and resolves when every class has had a response. */
export async function startTraffic(options: TrafficOptions): Promise<Traffic> {
  const workerData = { rates: FULL_LOAD, ...options };
  const worker = new Worker(new URL('./traffic-worker.ts', import.meta.url), { workerData });
  let failed: Error | null = null;
  worker.on('error', (error) => {
    failed = error as Error;
  });
  const requestReport = async (kind: 'report' | 'stop'): Promise<TrafficReport> => {
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
    report: () => requestReport('report'),
    stop: async () => {
      const report = await requestReport('stop');
      await worker.terminate();
      return report;
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}

/** Returns the report as text lines: one for each class, then the lost requests. */
export function trafficLines(report: TrafficReport): string[] {
  const classes = Object.entries(report.classes).map(([name, { sent, ok, lost, retried }]) => {
    const again = retried > 0 ? `, ${retried} sent again as the protocol says` : '';
    return `${name.padEnd(11)} ${String(sent).padStart(7)} sent ${String(ok).padStart(7)} answered ${String(lost).padStart(4)} lost${again}`;
  });
  const lost = Object.entries(report.lost).map(([kind, count]) => `lost ${kind}: ${count}`);
  return [...classes, ...lost];
}
