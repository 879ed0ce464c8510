import { query, useAnswer } from '../api.ts';
import { AppFrame } from '../components/app/app-frame.tsx';
import { loadApp } from '../components/app/load-app.ts';
import { RunPanel } from '../components/terminal/run-panel.tsx';
import { ScheduleList } from '../components/terminal/schedule-list.tsx';
import { ShellPanel } from '../components/terminal/shell-panel.tsx';
import { loadEarlier } from '../earlier.ts';
import type { LoadArgs } from '../load-args.ts';
import type { AppPath } from '../paths.ts';
import { SearchTabs, tabOf } from '../ui/search-tabs.tsx';
import { useAppPath, useSearchText } from '../util/params.ts';

const TABS = [
  { value: 'shell', label: 'Shell' },
  { value: 'run', label: 'Run a command' },
  { value: 'schedules', label: 'Schedules' },
] as const;

export async function load({ queries, params: names, search }: LoadArgs<AppPath>): Promise<void> {
  const { project, environment, app } = names;
  const params = { project, environment, app };
  await Promise.all([
    loadApp({ queries, params }),
    loadEarlier(queries, 'listRuns', { params }, search.pages),
    loadSchedules({ queries, params, search }),
  ]);
}

/**
 * Loads the schedules of an app before the page is shown. If the URL contains the id of a schedule, the runs of this
 * schedule are loaded too.
 */
async function loadSchedules({ queries, params, search }: LoadArgs<AppPath>): Promise<void> {
  const schedules = await queries.ensureQueryData(query('listSchedules', { params }));
  const shown = schedules.find(({ id }) => String(id) === String(search.runs));
  if (shown === undefined) return;
  await loadEarlier(queries, 'listScheduleRuns', { params: { ...params, schedule: String(shown.id) } }, search.pages);
}

export function Page() {
  const app = useAnswer('getApp', { params: useAppPath() });
  const [text] = useSearchText('tab');
  const [run] = useSearchText('run');
  const tab = run === null ? tabOf(TABS, text) : 'run';
  return (
    <AppFrame wide>
      <SearchTabs within label="Terminal" tabs={TABS} current={tab} />
      {tab === 'shell' && <ShellPanel app={app} />}
      {tab === 'run' && <RunPanel app={app} />}
      {tab === 'schedules' && <ScheduleList />}
    </AppFrame>
  );
}
