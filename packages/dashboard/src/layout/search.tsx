/**
 * Opens the command palette. Stores the keys that the user presses until the text field of the command palette has the
 * focus.
 */
import { Suspense, useEffect } from 'react';
import { flushSync } from 'react-dom';
import { session } from '../session.ts';
import { lazyPart } from '../util/part.ts';
import { createStore, useStore } from '../util/store.ts';
import { afterKey, type Early } from './palette/early-keys.ts';

/**
 * React component of the command palette. The browser loads the component when the user opens the palette, because most
 * visits do not need the palette.
 */
const Palette = lazyPart(() => import('./palette/palette.tsx').then((file) => file.Palette));

/** Text in the command palette, or `null` while the palette is closed. */
const search = createStore<string | null>(null);

/**
 * Keys that the command palette has not processed yet. `null` if the palette is closed, or if the text field of the
 * palette has the focus.
 */
let waiting: Early['keys'] | null = null;

export function openSearch(): void {
  waiting = [];
  search.set('');
}

function closeSearch(): void {
  waiting = null;
  search.set(null);
}

export function Search() {
  const text = useStore(search);
  useEffect(() => {
    // Listen in the capture phase, so that keys for the command palette do not reach the element with the focus.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => {
      window.removeEventListener('keydown', onKeyDown, { capture: true });
      closeSearch();
    };
  }, []);
  return (
    <Suspense>
      {text !== null && <Palette typed={text} onType={search.set} onReady={passKeys} onClose={closeSearch} />}
    </Suspense>
  );
}

function onKeyDown(event: KeyboardEvent): void {
  if (isSearchKey(event)) {
    event.preventDefault();
    if (search.get() === null) openSearch();
    else closeSearch();
    return;
  }
  const text = search.get();
  if (text === null || waiting === null || event.isComposing) return;
  /*
   * If the session has expired, do not use the key for the command palette. The user may be typing a password into the
   * sign-in dialog.
   */
  if (event.ctrlKey || event.metaKey || event.altKey || session.get() === 'over') return;
  const next = afterKey({ text, keys: waiting }, event.key);
  if (next === null) return;
  event.preventDefault();
  event.stopPropagation();
  if (next === 'close') {
    closeSearch();
    return;
  }
  waiting = next.keys;
  search.set(next.text);
}

/** Returns whether a key press is the shortcut of the command palette: Ctrl+K or ⌘K. */
function isSearchKey({ key, target, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  /*
   * If the focus is in a terminal, do not open the command palette with Ctrl+K. The shell in the terminal uses this
   * shortcut.
   */
  if (ctrlKey && target instanceof Element && target.closest('.xterm')) return false;
  return key.toLowerCase() === 'k' && (metaKey || ctrlKey) && !shiftKey && !altKey;
}

/** Passes the stored keys to the text field of the command palette, which now has the focus. */
function passKeys(field: HTMLInputElement): void {
  const keys = waiting ?? [];
  waiting = null;
  // Render after each key. The effect of the next key may depend on the selection that the previous key has changed.
  for (const key of keys) flushSync(() => field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })));
}
