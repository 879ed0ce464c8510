import type { DavitError, Run } from '@davit/api';
import { useEffect, useRef, useState } from 'react';
import { api, queryClient } from '../../api.ts';
import type { AppPath } from '../../paths.ts';
import type { OutputLine } from './run-output.tsx';

/**
 * Maximum number of output lines that the page shows for a command run. Older output lines are removed. The server also
 * stores only the end of the output.
 */
const MOST_LINES = 2_000;

export interface Running {
  isRunning: boolean;
  lines: readonly OutputLine[];
  /** Result of the command run. `null` while the command is running. */
  run: Run | null;
  error: DavitError | null;
  clearError: () => void;
  start: (command: string[], timeoutS: number) => void;
  /** Closes the connection to the server. The server then ends the command. */
  stop: () => void;
}

/**
 * Runs a command in a new container. Returns the output of the command while the command is running. When the user
 * leaves the page, the command ends.
 */
export function useRun(params: AppPath): Running {
  const [lines, setLines] = useState<readonly OutputLine[]>([]);
  const [run, setRun] = useState<Run | null>(null);
  const [error, setError] = useState<DavitError | null>(null);
  const [isRunning, setRunning] = useState(false);
  const leaving = useRef<AbortController>(null);
  useEffect(() => () => leaving.current?.abort(), []);

  const follow = async (command: string[], timeoutS: number, signal: AbortSignal) => {
    const body = { command, timeout_s: timeoutS };
    for await (const { data } of api.live.runInApp({ params, query: { follow: 'true' }, body, signal })) {
      if ('lines' in data) setLines((before) => [...before, ...data.lines].slice(-MOST_LINES));
      else if ('status' in data) setRun(data);
    }
  };
  const start = (command: string[], timeoutS: number) => {
    leaving.current = new AbortController();
    const { signal } = leaving.current;
    setLines([]);
    setRun(null);
    setError(null);
    setRunning(true);
    void follow(command, timeoutS, signal)
      .catch((thrown: DavitError) => {
        if (!signal.aborted) setError(thrown);
      })
      .finally(() => {
        setRunning(false);
        void queryClient.invalidateQueries({ queryKey: ['listRuns'] });
      });
  };
  const clearError = () => setError(null);
  return { isRunning, lines, run, error, clearError, start, stop: () => leaving.current?.abort() };
}
