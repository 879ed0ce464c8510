/**
 * The dashboard's own files: pages, and what is opened now and then, are loaded when they are wanted. A browser breaks
 * off what it loads when its network changes, and a laptop's network changes often.
 */
import { type ComponentType, createElement, lazy } from 'react';

const PAUSES_MS = [100, 200, 400, 800, 1_600, 3_200];

const MISSING =
  'A part of the dashboard could not be loaded: the network was away, or the instance was updated since this page was opened. Load the page again.';

export class PartMissing extends Error {
  override readonly name = 'PartMissing';
}

/** Loads a file, and tries again for a while when it does not come. @throws PartMissing */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  try {
    return await load();
  } catch (cause) {
    throw new PartMissing(MISSING, { cause });
  }
}

/** What makes those anew that did not come: React itself never tries again. */
const missing = new Set<() => void>();

/** What did not come is loaded again when it is shown next. */
export function tryPartsAgain(): void {
  for (const renew of missing) renew();
  missing.clear();
}

/** What comes as soon as there is nothing else to do; null: it may begin. */
let ahead: (() => void)[] | null = [];

/** The first page is there. What it asked for has come before what may be wanted later. */
export function beginAhead(): void {
  for (const begin of ahead ?? []) whenIdle(begin);
  ahead = null;
}

/** Loads a file after the first page, with the rest of what is ahead. Whether it came shows when it is wanted. */
function loadAhead(load: () => Promise<unknown>): void {
  const begin = () => void load().catch(() => undefined);
  if (ahead === null) whenIdle(begin);
  else ahead.push(begin);
}

/** Where a browser does not say when it has nothing to do. */
const IDLE_MS = 1_500;

function whenIdle(begin: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(begin);
  else setTimeout(begin, IDLE_MS);
}

/**
 * A component that is loaded when it is first shown. Until {@link tryPartsAgain} it fails as it did.
 * @param ahead it is loaded before that: it has to open when the instance does not answer, too, so that what was typed
 *   and the page below stay
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { ahead: isAhead = false }: { ahead?: boolean } = {},
): ComponentType<P> {
  if (isAhead) loadAhead(load);
  const attempt = () =>
    lazy(async () => {
      try {
        return { default: await loadPart(load) };
      } catch (error) {
        missing.add(() => {
          newest = attempt();
        });
        throw error;
      }
    }) as ComponentType<P>;
  let newest = attempt();
  const shown = (props: P) => createElement(newest, props);
  return shown;
}
