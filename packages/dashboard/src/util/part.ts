/**
 * Loads the JavaScript modules of pages and rarely used components on demand. Failed downloads are repeated, because
 * browsers abort downloads when the network changes.
 */
import { type ComponentType, createElement, lazy } from 'react';

const PAUSES_MS = [100, 200, 400, 800, 1_600, 3_200];

const MISSING =
  'Cannot load a part of the dashboard: the network was interrupted, or the instance was updated after you opened this page. Reload the page.';

export class PartMissing extends Error {
  override readonly name = 'PartMissing';
}

/**
 * Loads a JavaScript module. Repeats failed attempts for a few seconds.
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

/**
 * Functions that reset React components whose JavaScript module failed to load. Without a reset, React never tries to
 * load the component again.
 */
const missing = new Set<() => void>();

/**
 * Resets all React components whose JavaScript module failed to load. When a component renders again, its module is
 * loaded again.
 */
export function tryPartsAgain(): void {
  for (const renew of missing) renew();
  missing.clear();
}

/**
 * Functions that load JavaScript modules after the first page is shown. `null` if these functions have already been
 * called.
 */
let ahead: (() => void)[] | null = [];

/**
 * Starts to load the JavaScript modules that must not slow down the first page. Called when the first page is shown.
 */
export function beginAhead(): void {
  for (const begin of ahead ?? []) whenIdle(begin);
  ahead = null;
}

/**
 * Loads a JavaScript module after the first page is shown. Errors are ignored, because they are reported when the
 * module is needed.
 */
function loadAhead(load: () => Promise<unknown>): void {
  const begin = () => void load().catch(() => undefined);
  if (ahead === null) whenIdle(begin);
  else ahead.push(begin);
}

/**
 * Delay in milliseconds before JavaScript modules are loaded. The delay is used in browsers without
 * `requestIdleCallback`.
 */
const IDLE_MS = 1_500;

function whenIdle(begin: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(begin);
  else setTimeout(begin, IDLE_MS);
}

/**
 * Returns a React component whose JavaScript module is loaded when the component first renders. If the module cannot be
 * loaded, the component throws an error. Call `tryPartsAgain` to try again.
 * @param ahead whether the module is already loaded after the first page is shown, because the server may be
 * unreachable later
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
