/**
 * Keeps all pages up to date with events from the server. The events update the cached API responses. All tabs share
 * one connection, which reconnects automatically.
 */
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { paths } from '../paths.ts';
import { session, sessionIsHere, sessionIsOver, signIns } from '../session.ts';
import { loadPart } from '../util/part.ts';
import { createStore } from '../util/store.ts';
import { Freshness } from './freshness.ts';
import type { Happened, LiveState, TabPort } from './messages.ts';
import { type LogMessage, Tab } from './tab.ts';
import { leavePage, leaveToWhoComes } from './who.ts';

export type { Happened, LiveState, LogLine } from './messages.ts';
export type { LogMessage } from './tab.ts';

export const liveState = createStore<LiveState>('connecting');

type Stop = () => void;

/**
 * Maximum number of failed attempts to start the shared worker. Some browsers cannot run the shared worker. After the
 * last attempt, this tab opens its own connection.
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
      // A connected event stream means that the user is signed in. The user may have signed in in another tab.
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

/** Connects this tab to the event stream. Call this function after the user has signed in. */
export function startLive(queries: QueryClient): void {
  if (started) return;
  started = true;
  freshness = new Freshness(queries);
  leaveToWhoComes(queries);
  tab.join();
  // Reconnect the event stream that all tabs share. Another tab may have opened this event stream for another user.
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
  // Fetch all cached responses again, because another user may have signed in.
  if (session.get() === 'here') freshness?.rereadBefore(Date.now());
});

/** Signs the user out in all other tabs of the browser, so that no tab shows data of the previous user. */
export function leaveTabs(): void {
  tab.left();
}

/**
 * Calls a function for each event from the server about projects that the user may see.
 * @returns a function that unsubscribes
 */
export function onHappened(listener: (happened: Happened) => void): Stop {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Sends the recent log lines of an app to a listener, and then all new log lines.
 * @param reference `project/environment/app`
 * @returns a function that unsubscribes the listener
 */
export function followLogs(reference: string, listener: (heard: LogMessage) => void): Stop {
  return tab.follow(reference, listener);
}

/** Calls a function for each event from the server, while the component is mounted. */
export function useHappened(listener: (happened: Happened) => void): void {
  const newest = useRef(listener);
  newest.current = listener;
  useEffect(() => onHappened((happened) => newest.current(happened)), []);
}

/**
 * Returns a message port to the shared worker. If the browser cannot run the shared worker, the message port belongs to
 * a connection that only this tab uses.
 */
function openPort(): TabPort {
  if (!canShare) return portInTab();
  const worker = new SharedWorker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'davit-live' });
  worker.addEventListener('error', () => {
    // Try to start the shared worker again, because a network change can interrupt the download of the worker's script.
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
    // Ignore the error if the code for the event stream cannot be loaded, because the tab tries again later.
    () => undefined,
  );
  return port1 as unknown as TabPort;
}
