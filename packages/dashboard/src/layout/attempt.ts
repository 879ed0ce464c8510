import { DavitError } from '@davit/api';
import { useEffect, useState } from 'react';

export interface Attempt {
  busy: boolean;
  error: Error | null;
  /**
   * Number of seconds until the server accepts another attempt. The number is 0 if the server accepts an attempt now.
   */
  wait: number;
  run: (work: () => Promise<void>) => void;
  reset: () => void;
}

/**
 * Manages a form that users can submit several times, such as the sign-in form. After too many attempts, the hook
 * counts the remaining waiting time, which the server sets.
 */
export function useAttempt(): Attempt {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const [until, setUntil] = useState(0);
  const wait = useSecondsUntil(until);
  const run = (work: () => Promise<void>) => {
    setBusy(true);
    setError(null);
    work()
      .catch((thrown: Error) => {
        setError(thrown);
        if (thrown instanceof DavitError && thrown.code === 'too_many_requests') {
          setUntil(Date.now() + (thrown.retryAfterS ?? 1) * 1_000);
        }
      })
      .finally(() => setBusy(false));
  };
  return { busy, error, wait, run, reset: () => setError(null) };
}

function useSecondsUntil(until: number): number {
  const [now, setNow] = useState(Date.now);
  const isOver = now >= until;
  useEffect(() => {
    if (until <= Date.now()) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [until]);
  return isOver ? 0 : Math.ceil((until - now) / 1_000);
}

/**
 * Returns the reason why the user must wait before submitting the form. Returns `null` if the user can submit the form
 * now.
 */
export function waitReason({ wait }: Attempt): string | null {
  return wait === 0 ? null : `Wait ${inWords(wait)}, then try again.`;
}

/** Returns the label of the submit button. If the user must wait, the label contains the remaining time. */
export function withWait(action: string, { wait }: Attempt): string {
  return wait === 0 ? action : `${action} (in ${inWords(wait)})`;
}

function inWords(seconds: number): string {
  return seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
