/** The thread that sends requests, see traffic.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Rates, TrafficOptions, TrafficReport } from './traffic.ts';
import { Lost, Recorder, TRAFFIC_CLASSES, type TrafficClass } from './traffic-record.ts';
import { h2cSender, httpSenders, type Sender } from './traffic-requests.ts';
import { watchEvents, watchWebSocket } from './traffic-streams.ts';

const TURN_MS = 5;

const options = workerData as TrafficOptions & { rates: Rates };
const recorder = new Recorder();
const began = performance.now();
const underWay = new Set<Promise<void>>();
let expected = 0;
let latestMs = 0;
/** Time at which sending ended. Requests in progress may still take time. */
let endedAt: number | null = null;

/** Sends one request and records its result. */
async function one(name: TrafficClass, send: Sender): Promise<void> {
  const counts = recorder.classes[name];
  counts.sent += 1;
  const least = expected;
  const from = performance.now();
  try {
    const answer = await send(() => {
      counts.retried += 1;
    });
    if (answer.deployment < least) {
      throw new Lost('stale', `deployment ${answer.deployment} answered a request that began when ${least} was live`);
    }
    recorder.ok(name, performance.now() - from, answer);
  } catch (error) {
    recorder.lose(name, error);
  }
}

/** Sends the requests that are due now, in every class. */
function openLoop(senders: Record<keyof Rates, Sender>): NodeJS.Timeout {
  const due = Object.entries(senders).map(([name, send]) => ({
    name: name as keyof Rates,
    send,
    everyMs: 1_000 / options.rates[name as keyof Rates],
    next: performance.now(),
  }));
  return setInterval(() => {
    const now = performance.now();
    for (const schedule of due) {
      for (; schedule.next <= now; schedule.next += schedule.everyMs) {
        latestMs = Math.max(latestMs, now - schedule.next);
        const request = one(schedule.name, schedule.send).finally(() => underWay.delete(request));
        underWay.add(request);
      }
    }
  }, TURN_MS);
}

function report(): TrafficReport {
  const all = Object.values(recorder.classes);
  const sum = (of: 'sent' | 'lost') => all.reduce((total, counts) => total + counts[of], 0);
  return {
    seconds: ((endedAt ?? performance.now()) - began) / 1_000,
    classes: recorder.classes,
    tags: recorder.tags,
    lost: recorder.lost,
    lostInAll: sum('lost'),
    sentInAll: sum('sent'),
    failures: recorder.failures,
    latestMs,
    slowestMs: recorder.slowestMs,
  };
}

const senders = { ...httpSenders(options), h2c: h2cSender(options) };
const streams = [watchEvents(options, recorder), watchWebSocket(options, recorder)];
const timer = openLoop(senders);

async function stop(): Promise<void> {
  endedAt = performance.now();
  clearInterval(timer);
  await Promise.all(underWay);
  await Promise.all(streams.map((stream) => stream.stop()));
  parentPort?.postMessage(report());
}

parentPort?.on('message', (message: { kind: 'report' | 'stop' | 'expect'; deployment?: number }) => {
  if (message.kind === 'expect') expected = Math.max(expected, message.deployment ?? 0);
  else if (message.kind === 'report') parentPort?.postMessage(report());
  else if (endedAt === null) void stop();
});

const warmUp = setInterval(() => {
  if (!TRAFFIC_CLASSES.every((name) => recorder.classes[name].ok > 0)) return;
  clearInterval(warmUp);
  parentPort?.postMessage('answered');
}, 20);
