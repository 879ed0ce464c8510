import { useSyncExternalStore } from 'react';

/** Names of the CSS color variables that charts use. */
export type Tone = 'accent' | 'good' | 'warning' | 'error' | 'text' | 'soft' | 'line' | 'panel';

/** Cache for the colors of one theme. `of` identifies this theme. */
const known = { of: '', colours: new Map<Tone, string>() };

/**
 * Returns the value of a CSS color variable in the current theme, in a format that a canvas accepts. The colors of the
 * theme are cached, because reading a color makes the browser compute styles of the page.
 */
export function colourOf(tone: Tone): string {
  const scheme = schemeText();
  if (known.of !== scheme) {
    known.of = scheme;
    known.colours.clear();
  }
  const colour = known.colours.get(tone) ?? readColour(tone);
  known.colours.set(tone, colour);
  return colour;
}

function readColour(tone: Tone): string {
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
 * Returns a text that identifies the current color theme. When the text changes, chart components redraw with the new
 * colors.
 */
export function useScheme(): string {
  return useSyncExternalStore(subscribe, schemeText);
}

function schemeText(): string {
  return `${document.documentElement.dataset.theme ?? ''} ${matchMedia('(prefers-color-scheme: dark)').matches}`;
}
