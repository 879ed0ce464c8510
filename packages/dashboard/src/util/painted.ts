import { startTransition, useEffect, useState } from 'react';

/**
 * Returns `false` before the first paint of the component, and `true` after it. Use this hook for content that must not
 * delay the first paint.
 */
export function usePainted(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The browser paints the page after this callback. Start a timer here, because a timer runs after the paint.
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
