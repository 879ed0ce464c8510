import { useSearchChange } from '../../util/params.ts';

/**
 * Returns a function that opens the page with the command runs of the app. The argument of the function is the id of a
 * command run. The page shows the details of this run.
 */
export function useOpenRun(): (id: number) => void {
  const change = useSearchChange();
  return (id) => change({ tab: null, run: '1', show: String(id), start: null, runs: null, pages: null });
}
