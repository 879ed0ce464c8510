import type { MetricEvent } from '@davit/api';
import { useSyncExternalStore } from 'react';
import { useHappened } from '../../live/live.ts';

/** Latest CPU usage, memory usage, request rate and server error rate of an app. */
export type AppFigures = Pick<MetricEvent, 'cpu_percent' | 'memory_bytes' | 'requests_per_s' | 'server_error_share'>;

export type FiguresOf = (app: string) => AppFigures | undefined;

const newest = new Map<string, AppFigures>();
const listeners = new Map<string, Set<() => void>>();
/**
 * Function that returns the latest measurements of an app. After each new measurement, a new function replaces this
 * function, so that React re-renders lists that are sorted by measurements.
 */
let lookup: FiguresOf = (app) => newest.get(app);
const EVERY = '';

function notify(app: string): void {
  for (const listener of listeners.get(app) ?? []) listener();
}

function listen(app: string): (listener: () => void) => () => void {
  return (listener) => {
    const appListeners = listeners.get(app) ?? new Set();
    listeners.set(app, appListeners.add(listener));
    return () => appListeners.delete(listener);
  };
}

/**
 * Maps the address of an app (`project/environment/app`) to its subscribe function. Each table row subscribes to one
 * app. A new measurement therefore re-renders only one row.
 */
const listenTo = new Map<string, ReturnType<typeof listen>>();

/** Stores the latest measurements of all apps from metric events, while the component is mounted. */
export function useMetricEvents(): void {
  useHappened(({ event, data }) => {
    if (event !== 'metric') return;
    newest.set(data.app, data);
    lookup = (app) => newest.get(app);
    notify(data.app);
    notify(EVERY);
  });
}

/**
 * Returns the latest CPU, memory and request measurements of an app. Returns `undefined` before the first
 * measurement.
 */
export function useFigures(app: string): AppFigures | undefined {
  const subscribe = listenTo.get(app) ?? listen(app);
  listenTo.set(app, subscribe);
  return useSyncExternalStore(subscribe, () => newest.get(app));
}

const listenToEvery = listen(EVERY);
const toNone = () => () => undefined;

const none: FiguresOf = () => undefined;

/**
 * Returns a function that returns the latest measurements of an app.
 * @param follow whether each new measurement re-renders the component, for a list that is sorted by measurements
 */
export function useAllFigures(follow: boolean): FiguresOf {
  return useSyncExternalStore(follow ? listenToEvery : toNone, () => (follow ? lookup : none));
}
