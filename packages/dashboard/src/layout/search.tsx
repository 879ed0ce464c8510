/**
 * Opens the command palette. Stores the keys that the user presses until the text field of the palette has the focus.
 */
import { Suspense, useEffect } from 'react';
import { flushSync } from 'react-dom';
import { session } from '../session.ts';
import { lazyPart } from '../util/part.ts';
import { createStore, useStore } from '../util/store.ts';
import { afterKey, type Early } from './palette/early-keys.ts';

/** React component that is loaded when it is first shown, because most visits do not need the command palette. */
const Palette = lazyPart(() => import('./palette/palette.tsx').then((file) => file.Palette));

/** Text in the command palette, or `null` while the palette is closed. */
const search = createStore<string | null>(null);

/** Keys that the palette has not processed yet, or `null` if its text field has the focus or the palette is closed. */
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
    // Register the listener for the capture phase, so that keys for the command palette do not reach the focused
    // element.
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
  // If the session has expired, leave the keys to the sign-in dialog, because the user may be typing a password.
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
  // Leave Ctrl+K to the shell while the focus is in a terminal, and do not open the command palette.
  if (ctrlKey && target instanceof Element && target.closest('.xterm')) return false;
  return key.toLowerCase() === 'k' && (metaKey || ctrlKey) && !shiftKey && !altKey;
}

/** Passes the earlier keys to the text field of the palette, which now has the focus. */
function passKeys(field: HTMLInputElement): void {
  const keys = waiting ?? [];
  waiting = null;
  // Render after each key, because the next key may depend on the selection that the previous key changed.
  for (const key of keys) flushSync(() => field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })));
}
