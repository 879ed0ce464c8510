import { useEffect, useState } from 'react';

const WAIT_MS = 350;

/**
 * Returns a value only after the value has not changed for a short time. Use this hook for typed text that causes
 * requests.
 */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), WAIT_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
