/**
 * Handles the keys that the user presses before the text field of the command palette has the focus. After the shortcut
 * of the palette, the browser must first load the code of the palette.
 */

/** State of the command palette before the text field of the palette has the focus. */
export interface Early {
  text: string;
  /** Keys that select a result, such as `Enter`, in the order in which the user pressed the keys. */
  keys: readonly string[];
}

const SELECTING: readonly string[] = ['Enter', 'ArrowDown', 'ArrowUp', 'PageDown', 'PageUp'];

/**
 * Returns the state of the command palette after a key press.
 * @param key name of the key, as in `KeyboardEvent.key`
 * @returns `close` if the key closes the palette, or `null` if the palette does not use the key
 */
export function afterKey({ text, keys }: Early, key: string): Early | 'close' | null {
  if (key === 'Escape') return 'close';
  if (key === 'Backspace') return { text: [...text].slice(0, -1).join(''), keys };
  if (SELECTING.includes(key)) return { text, keys: [...keys, key] };
  return [...key].length === 1 ? { text: text + key, keys } : null;
}
