/** If the tab bar is wider than the screen, scrolls the selected tab to the center. */
export function intoView(chosen: Element | null): void {
  const line = chosen?.closest('nav');
  if (!chosen || !line || line.scrollWidth <= line.clientWidth) return;
  const [inside, around] = [chosen.getBoundingClientRect(), line.getBoundingClientRect()];
  line.scrollLeft += inside.left + inside.width / 2 - (around.left + around.width / 2);
}

/** Scrolls a tab bar that is wider than the screen, so that the link to the current page is visible. */
export function currentIntoView(line: Element | null): void {
  intoView(line?.querySelector('[aria-current=page]') ?? null);
}
