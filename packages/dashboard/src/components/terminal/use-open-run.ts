import { useSearchChange } from '../../util/params.ts';

/** Returns a function that opens the app's list of command runs and shows one run. */
export function useOpenRun(): (id: number) => void {
  const change = useSearchChange();
  return (id) => change({ tab: null, run: '1', show: String(id), start: null, runs: null, pages: null });
}
