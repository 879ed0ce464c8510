import { type KeyboardEvent, useEffect, useRef } from 'react';

export interface LogKeys {
  move: (step: 1 | -1) => void;
  find: (direction: 1 | -1) => void;
  open: () => void;
  copy: () => void;
  copyLink: () => void;
  toTop: () => void;
  follow: () => void;
}

/**
 * Handles keyboard shortcuts while the log list has the focus. Keys that scroll the list keep their default behavior.
 */
export function onLogKey(event: KeyboardEvent, keys: LogKeys): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
  const action = new Map<string, () => void>([
    ['ArrowDown', () => keys.move(1)],
    ['ArrowUp', () => keys.move(-1)],
    ['n', () => keys.find(1)],
    ['N', () => keys.find(-1)],
    ['Enter', keys.open],
    ['c', keys.copy],
    ['l', keys.copyLink],
    ['Home', keys.toTop],
    ['End', keys.follow],
    ['f', keys.follow],
  ]).get(event.key);
  if (action === undefined) return;
  event.preventDefault();
  action();
}

/** Focuses the search field when the user presses `/` outside of an input field. */
export function useSlash(): React.RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      const isWriting =
        target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], [role="dialog"]');
      if (key !== '/' || ctrlKey || metaKey || altKey || isWriting || field.current === null) return;
      event.preventDefault();
      field.current.focus();
      field.current.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return field;
}
