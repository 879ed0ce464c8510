import { useSyncExternalStore } from 'react';

/** The tokens that a chart draws with. */
export type Tone = 'accent' | 'good' | 'warning' | 'error' | 'soft' | 'line' | 'panel';

/** A token as a canvas takes it, in the scheme that is shown. */
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

/** Changes with the scheme that is shown: what was drawn with its colours is drawn anew. */
export function useScheme(): string {
  return useSyncExternalStore(
    subscribe,
    () => `${document.documentElement.dataset.theme ?? ''} ${matchMedia('(prefers-color-scheme: dark)').matches}`,
  );
}
