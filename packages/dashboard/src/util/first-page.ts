/**
 * Records whether this document has rendered a page before. The content of the first page is rendered in small steps,
 * because the browser is still starting the dashboard, and one long step would block the user's input.
 */

let isShown = false;

/** Records that the first page is rendered. The content of all later pages is rendered at once. */
export function firstPageIsShown(): void {
  isShown = true;
}

/** Type of the page load, such as a reload, and the fragment of the URL. */
export interface Opening {
  type: NavigationTimingType;
  hash: string;
}

function opening(): Opening {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return { type: navigation?.type ?? 'navigate', hash: location.hash };
}

/**
 * Returns whether to render the page content in small steps. Returns `false` after a reload, after “Back” or for a URL
 * fragment, because the browser can scroll only to existing content.
 */
export function comesInSteps(how: Opening = opening()): boolean {
  return !isShown && how.type === 'navigate' && how.hash === '';
}
