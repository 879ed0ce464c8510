import { query } from '../api.ts';
import { AppFrame, loadApp } from '../components/app/app-frame.tsx';
import { LogView } from '../components/logs/log-view.tsx';
import type { LoadArgs } from '../load-args.ts';
import type { AppPath } from '../paths.ts';

export async function load({ queries, params: { project, environment, app } }: LoadArgs<AppPath>): Promise<void> {
  const params = { project, environment, app };
  await Promise.all([loadApp({ queries, params }), queries.ensureQueryData(query('listDeployments', { params }))]);
}

export function Page() {
  return (
    <AppFrame wide>
      <LogView />
    </AppFrame>
  );
}
