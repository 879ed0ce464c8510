import { startTransition, useEffect, useState } from 'react';

/**
 * Returns `false` in the first frame of a component and `true` after the browser has painted it. Use this hook for
 * content that must not delay the first frame.
 */
export function usePainted(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The browser paints the frame after the frame's callbacks have run.
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
