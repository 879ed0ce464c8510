import { startTransition, useEffect, useState } from 'react';

/**
 * Calls a function after the browser has painted the page.
 * @returns a function that prevents the call
 */
export function afterPaint(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // The browser paints the page after this callback. Start a timer here, because a timer runs after the paint.
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/**
 * Returns `false` before the first paint of the component, and `true` after it. Use this hook for content that must not
 * delay the first paint.
 */
export function usePainted(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => afterPaint(() => startTransition(() => setPainted(true))), []);
  return isPainted;
}
