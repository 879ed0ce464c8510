/**
 * Loads files of the dashboard on demand: pages and rarely used components. Browsers abort downloads when the network
 * changes, which happens often on laptops.
 */
import { type ComponentType, createElement, lazy } from 'react';

const PAUSES_MS = [100, 200, 400, 800, 1_600, 3_200];

const MISSING =
  'Cannot load a part of the dashboard: the network was interrupted, or the instance was updated after you opened this page. Reload the page.';

export class PartMissing extends Error {
  override readonly name = 'PartMissing';
}

/**
 * Loads a file and retries for a few seconds.
 * @throws PartMissing if all attempts fail
 */
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

/** Callbacks that reset the failed parts, because React never loads a failed part again. */
const missing = new Set<() => void>();

/** Resets all failed parts, so that each part loads again when it is shown next. */
export function tryPartsAgain(): void {
  for (const renew of missing) renew();
  missing.clear();
}

/** Loads that wait for the first page, or `null` if loads may start at once. */
let ahead: (() => void)[] | null = [];

/** Starts the waiting loads after the first page is shown, so that they do not delay the first page. */
export function beginAhead(): void {
  for (const begin of ahead ?? []) whenIdle(begin);
  ahead = null;
}

/** Loads a file after the first page. Errors appear only when the file is needed. */
function loadAhead(load: () => Promise<unknown>): void {
  const begin = () => void load().catch(() => undefined);
  if (ahead === null) whenIdle(begin);
  else ahead.push(begin);
}

/** Delay in milliseconds for browsers without `requestIdleCallback`. */
const IDLE_MS = 1_500;

function whenIdle(begin: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(begin);
  else setTimeout(begin, IDLE_MS);
}

/**
 * Returns a component that loads when it is first shown. After a failure, the component keeps failing until {@link
 * tryPartsAgain} is called.
 * @param ahead loads the component after the first page. Set it for components that must open while the instance is
 * unreachable, so that typed input and the page stay.
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
