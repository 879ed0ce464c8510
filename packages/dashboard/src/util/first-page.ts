/**
 * Stores whether this document has already rendered a page. The first page is rendered in small steps. The browser is
 * still starting the dashboard, and one long step would block user input.
 */

let isShown = false;

/** Stores that the first page was rendered. All later pages are rendered in one step. */
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
 * Returns whether the page content is rendered in small steps. Returns `false` after a reload, after “Back”, or if the
 * URL has a fragment. In these cases, the browser scrolls, and it can scroll only to existing content.
 */
export function comesInSteps(how: Opening = opening()): boolean {
  return !isShown && how.type === 'navigate' && how.hash === '';
}

/** Whether the content that is being rendered belongs to the first page and is rendered in small steps. */
let isStepping = false;

/** Stores how the content of the first page is rendered. Returns whether the content is rendered in small steps. */
export function beginContent(how?: Opening): boolean {
  isStepping = comesInSteps(how);
  return isStepping;
}

/** Stores that the page shows its content. */
export function contentIsShown(): void {
  isStepping = false;
}

/**
 * Returns whether the content that is being rendered is rendered in small steps. The lower part of a page then waits
 * for the upper part.
 */
export function contentComesInSteps(): boolean {
  return isStepping;
}
