/**
 * Applies the events of the instance to the pages as they happen. All tabs of a browser share one connection, which
 * reconnects automatically and reports when it is lost. Events update the answers in the query cache, so every page
 * that shows cached answers is live without code of its own.
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

/**
 * Number of failed starts after which this tab stops using the worker. A browser that cannot run the worker fails every
 * time.
 */
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
      // A sign-in in one tab applies to all tabs.
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

/** Starts the live updates after the user has signed in. */
export function startLive(queries: QueryClient): void {
  if (started) return;
  started = true;
  freshness = new Freshness(queries);
  leaveToWhoComes(queries);
  tab.join();
  // Events that other tabs received may have been sent for a different user.
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
  // The user may be a different one now.
  if (session.get() === 'here') freshness?.rereadBefore(Date.now());
});

/** Signs out all other tabs of the browser, so that they keep no data of the previous user. */
export function leaveTabs(): void {
  tab.left();
}

/** Calls the listener for each event of all projects that the user may see. */
export function onHappened(listener: (happened: Happened) => void): Stop {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Follows the log of an app. The listener gets the newest lines first, then new lines as they arrive.
 * @param reference `project/environment/app`
 */
export function followLogs(reference: string, listener: (heard: LogHeard) => void): Stop {
  return tab.follow(reference, listener);
}

/** Calls the listener for each event while the component is mounted. */
export function useHappened(listener: (happened: Happened) => void): void {
  const newest = useRef(listener);
  newest.current = listener;
  useEffect(() => onHappened((happened) => newest.current(happened)), []);
}

/**
 * Returns a port to the worker that all tabs share. A browser that has no shared workers, or cannot run this worker,
 * holds one connection in each tab.
 */
function openPort(): TabPort {
  if (!canShare) return portInTab();
  const worker = new SharedWorker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'davit-live' });
  worker.addEventListener('error', () => {
    // A network change can prevent the download of the worker's file. One failure is no reason to stop using the
    // worker.
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
    // A tab that receives no message for a while connects again.
    () => undefined,
  );
  return port1 as unknown as TabPort;
}
