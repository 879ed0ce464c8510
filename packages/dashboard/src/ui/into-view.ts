/** Brings the chosen one of a line of tabs into sight, where the line is wider than the screen. */
export function intoView(chosen: Element | null): void {
  const line = chosen?.closest('nav');
  if (!chosen || !line || line.scrollWidth <= line.clientWidth) return;
  const [inside, around] = [chosen.getBoundingClientRect(), line.getBoundingClientRect()];
  line.scrollLeft += inside.left + inside.width / 2 - (around.left + around.width / 2);
}

/** The same of a whole line, whose links know by themselves which one is chosen. */
export function currentIntoView(line: Element | null): void {
  intoView(line?.querySelector('[aria-current=page]') ?? null);
}
