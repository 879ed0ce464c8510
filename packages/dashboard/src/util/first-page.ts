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

/** Whether the content that is rendered now is that of the first page, and comes in small steps. */
let isStepping = false;

/** Records how the content of the first page is rendered, and returns whether it comes in small steps. */
export function beginContent(how?: Opening): boolean {
  isStepping = comesInSteps(how);
  return isStepping;
}

/** Records that the page shows its content. */
export function contentIsShown(): void {
  isStepping = false;
}

/**
 * Returns whether the content that is rendered now comes in small steps. The lower part of a page then waits for the
 * upper part.
 */
export function contentComesInSteps(): boolean {
  return isStepping;
}
