import { useSearchChange } from '../../util/params.ts';

/** Returns a function that opens a command run in the app's list of runs. */
export function useOpenRun(): (id: number) => void {
  const change = useSearchChange();
  return (id) => change({ tab: null, run: '1', show: String(id), start: null, runs: null, pages: null });
}
