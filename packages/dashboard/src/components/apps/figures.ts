import type { MetricEvent } from '@davit/api';
import { useSyncExternalStore } from 'react';
import { useHappened } from '../../live/live.ts';

/** What an app used and was asked when it was last measured. */
export type AppFigures = Pick<MetricEvent, 'cpu_percent' | 'memory_bytes' | 'requests_per_s' | 'server_error_share'>;

export type FiguresOf = (app: string) => AppFigures | undefined;

const newest = new Map<string, AppFigures>();
const listeners = new Map<string, Set<() => void>>();
/** Another one with everything that comes in, for what is shown in the order of all figures. */
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

/** Each row listens for its own app, so that one measurement draws one row again and not two hundred. */
const listenTo = new Map<string, ReturnType<typeof listen>>();

/** Keeps the newest figures of every app while the component is shown. */
export function useFiguresHeard(): void {
  useHappened(({ event, data }) => {
    if (event !== 'metric') return;
    newest.set(data.app, data);
    lookup = (app) => newest.get(app);
    tell(data.app);
    tell(EVERY);
  });
}

/** The newest figures of one app; undefined until it is measured. */
export function useFigures(app: string): AppFigures | undefined {
  const subscribe = listenTo.get(app) ?? listen(app);
  listenTo.set(app, subscribe);
  return useSyncExternalStore(subscribe, () => newest.get(app));
}

const listenToEvery = listen(EVERY);
const toNone = () => () => undefined;

const none: FiguresOf = () => undefined;

/** The newest figures of every app, for what is in their order; where they are not followed, none. */
export function useAllFigures(follow: boolean): FiguresOf {
  return useSyncExternalStore(follow ? listenToEvery : toNone, () => (follow ? lookup : none));
}
