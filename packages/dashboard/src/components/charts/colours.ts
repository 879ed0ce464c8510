import { useSyncExternalStore } from 'react';

/** Names of the CSS color variables that charts use. */
export type Tone = 'accent' | 'good' | 'warning' | 'error' | 'soft' | 'line' | 'panel';

/** Returns the value of a CSS color variable in the current theme, in a format that a canvas accepts. */
export function colourOf(tone: Tone): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--${tone})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function subscribe(listener: () => void): () => void {
  const media = matchMedia('(prefers-color-scheme: dark)');
  const chosen = new MutationObserver(listener);
  media.addEventListener('change', listener);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    media.removeEventListener('change', listener);
    chosen.disconnect();
  };
}

/**
 * Returns a text that identifies the current color theme. Chart components redraw with the new colors when the text
 * changes.
 */
export function useScheme(): string {
  return useSyncExternalStore(
    subscribe,
    () => `${document.documentElement.dataset.theme ?? ''} ${matchMedia('(prefers-color-scheme: dark)').matches}`,
  );
}
