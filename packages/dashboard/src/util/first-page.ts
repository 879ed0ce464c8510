/**
 * Records whether this document has rendered a page before. The content of the first page is rendered in small steps,
 * because the browser is still starting the dashboard, and one long step would block the user's input.
 */

let isShown = false;

/** Notes that the first page is rendered. All later pages are rendered at once. */
export function firstPageIsShown(): void {
  isShown = true;
}

/** How the browser opened the document, and the fragment of its URL. */
export interface Opening {
  type: NavigationTimingType;
  hash: string;
}

function opening(): Opening {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return { type: navigation?.type ?? 'navigate', hash: location.hash };
}

/**
 * Returns whether the content of the page is rendered in small steps after the frame of the page. The content must not
 * come later if the browser scrolls to a position in it: after a reload, after “Back”, or to a fragment.
 */
export function comesInSteps(how: Opening = opening()): boolean {
  return !isShown && how.type === 'navigate' && how.hash === '';
}
