import { useEffect, useState } from 'react';

const WAIT_MS = 350;

/** Returns a typed value after the user has stopped typing. Use it for values that cause a request at each change. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), WAIT_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
