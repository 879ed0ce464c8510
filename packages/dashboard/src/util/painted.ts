import { startTransition, useEffect, useState } from 'react';

/**
 * Returns `false` until the browser has painted the component for the first time, then `true`. Use this hook for
 * content that must not delay the first paint.
 */
export function usePainted(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Animation frame callbacks run before the paint, so the timer runs after the paint.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setPainted(true)));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return isPainted;
}
