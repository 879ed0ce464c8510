import { useSearchChange } from '../../util/params.ts';

/** Shows a run among all that were run, from wherever among the schedules it is asked for. */
export function useOpenRun(): (id: number) => void {
  const change = useSearchChange();
  return (id) => change({ tab: null, run: '1', show: String(id), start: null, runs: null, pages: null });
}
