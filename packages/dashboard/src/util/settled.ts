import { useEffect, useState } from 'react';

const WAIT_MS = 350;

/** What is typed, once the typing rests: for what is asked of the server with every change of it. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), WAIT_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
