import type { MetricEvent } from '@davit/api';
import { useSyncExternalStore } from 'react';
import { useHappened } from '../../live/live.ts';

/** Newest measurements of an app's resource usage and requests. */
export type AppFigures = Pick<MetricEvent, 'cpu_percent' | 'memory_bytes' | 'requests_per_s' | 'server_error_share'>;

export type FiguresOf = (app: string) => AppFigures | undefined;

const newest = new Map<string, AppFigures>();
const listeners = new Map<string, Set<() => void>>();
/** Function that is replaced after each measurement, so that components which sort by all figures render again. */
let lookup: FiguresOf = (app) => newest.get(app);
const EVERY = '';

function tell(app: string): void {
  for (const listener of listeners.get(app) ?? []) listener();
}

function listen(app: string): (listener: () => void) => () => void {
  return (listener) => {
    const heard = listeners.get(app) ?? new Set();
    listeners.set(app, heard.add(listener));
    return () => heard.delete(listener);
  };
}

/** Subscriptions by app, so that a measurement renders only the row of its app again. */
const listenTo = new Map<string, ReturnType<typeof listen>>();

/** Stores the newest figures of every app while the component is mounted. */
export function useFiguresHeard(): void {
  useHappened(({ event, data }) => {
    if (event !== 'metric') return;
    newest.set(data.app, data);
    lookup = (app) => newest.get(app);
    tell(data.app);
    tell(EVERY);
  });
}

/** Returns the newest figures of one app, or `undefined` before its first measurement. */
export function useFigures(app: string): AppFigures | undefined {
  const subscribe = listenTo.get(app) ?? listen(app);
  listenTo.set(app, subscribe);
  return useSyncExternalStore(subscribe, () => newest.get(app));
}

const listenToEvery = listen(EVERY);
const toNone = () => () => undefined;

const none: FiguresOf = () => undefined;

/** Returns a lookup of the newest figures of every app for sorting. The lookup finds nothing if `follow` is false. */
export function useAllFigures(follow: boolean): FiguresOf {
  return useSyncExternalStore(follow ? listenToEvery : toNone, () => (follow ? lookup : none));
}
