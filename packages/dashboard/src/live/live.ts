/**
 * What happens on the instance, as it happens. All tabs of a browser share one connection; it comes back by itself, and
 * says when it is away. What happens makes the answers in the query cache true again, so that a page that shows answers
 * is live without doing anything for it.
 */
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { paths } from '../paths.ts';
import { session, sessionIsHere, sessionIsOver, signIns } from '../session.ts';
import { loadPart } from '../util/part.ts';
import { createStore } from '../util/store.ts';
import { Freshness } from './freshness.ts';
import type { Happened, LiveState, TabPort } from './messages.ts';
import { type LogHeard, Tab } from './tab.ts';
import { leavePage, leaveToWhoComes } from './who.ts';

export type { Happened, LiveState, LogLine } from './messages.ts';
export type { LogHeard } from './tab.ts';

export const liveState = createStore<LiveState>('connecting');

type Stop = () => void;

/** A browser that cannot run the worker fails each time. */
const MOST_WORKER_FAILURES = 3;
const WORKER_PAUSE_MS = 250;

const listeners = new Set<(happened: Happened) => void>();

let freshness: Freshness | null = null;
let started = false;
let canShare = typeof SharedWorker !== 'undefined';
let workerFailures = 0;

const tab = new Tab(
  {
    open: openPort,
    onState: (state) => {
      // Whoever signed in did so for all tabs.
      if (state === 'live') sessionIsHere();
      liveState.set(state);
    },
    onHappened: (happened) => {
      freshness?.take(happened);
      for (const listener of listeners) listener(happened);
    },
    onReread: (before) => freshness?.rereadBefore(before),
    onSignedOut: sessionIsOver,
    onLeft: () => {
      if (session.get() !== 'none') leavePage(paths.signIn());
    },
  },
  performance.timeOrigin,
);

/** Begins to be live, once somebody is signed in. */
export function startLive(queries: QueryClient): void {
  if (started) return;
  started = true;
  freshness = new Freshness(queries);
  leaveToWhoComes(queries);
  tab.join();
  // What other tabs were told was told to somebody else, maybe.
  if (signIns.get() > 0) tab.signedIn();
  addEventListener('pagehide', () => tab.leave());
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) tab.join();
  });
  document.addEventListener('freeze', () => tab.leave());
  document.addEventListener('resume', () => tab.join());
}

signIns.subscribe(() => tab.signedIn());
session.subscribe(() => {
  // It may be somebody else.
  if (session.get() === 'here') freshness?.rereadBefore(Date.now());
});

/** Who was signed in has signed out: the other tabs keep nothing of his either. */
export function leaveTabs(): void {
  tab.left();
}

/** Hears what happens in all projects that one sees. */
export function onHappened(listener: (happened: Happened) => void): Stop {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Follows what an app writes: the newest lines, then those that come in. @param reference `project/environment/app` */
export function followLogs(reference: string, listener: (heard: LogHeard) => void): Stop {
  return tab.follow(reference, listener);
}

/** Hears what happens while the component is shown. */
export function useHappened(listener: (happened: Happened) => void): void {
  const newest = useRef(listener);
  newest.current = listener;
  useEffect(() => onHappened((happened) => newest.current(happened)), []);
}

/** The worker that all tabs share; a browser that has no such thing, or cannot run it, holds a connection a tab. */
function openPort(): TabPort {
  if (!canShare) return portInTab();
  const worker = new SharedWorker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'davit-live' });
  worker.addEventListener('error', () => {
    // Its file may not have come because the network changed, which is no reason to do without it.
    workerFailures += 1;
    if (workerFailures >= MOST_WORKER_FAILURES) canShare = false;
    setTimeout(() => tab.join(), WORKER_PAUSE_MS);
  });
  return worker.port as unknown as TabPort;
}

function portInTab(): TabPort {
  const { port1, port2 } = new MessageChannel();
  loadPart(() => import('./connect.ts')).then(
    ({ createHub }) => createHub().join(port2 as never),
    // Whoever hears nothing for a while asks anew.
    () => undefined,
  );
  return port1 as unknown as TabPort;
}
