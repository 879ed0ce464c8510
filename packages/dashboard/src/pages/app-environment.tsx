import { useAnswer } from '../api.ts';
import { AppAttachments } from '../components/app/app-attachments.tsx';
import { AppFrame } from '../components/app/app-frame.tsx';
import { loadApp } from '../components/app/load-app.ts';
import { type Level, loadVariables } from '../components/variables/level.ts';
import { VariablesCard } from '../components/variables/variables-card.tsx';
import type { LoadArgs } from '../load-args.ts';
import type { AppPath } from '../paths.ts';
import { useAppPath } from '../util/params.ts';

export function load({ queries, params }: LoadArgs<AppPath>): Promise<unknown> {
  const { project, environment, app } = params;
  const level: Level = { source: 'app', path: { project, environment, app } };
  return Promise.all([loadApp({ queries, params }), loadVariables(queries, level)]);
}

export function Page() {
  const path = useAppPath();
  const app = useAnswer('getApp', { params: path });
  const nothing = app.live_deployment === null && app.tag === null;
  return (
    <AppFrame>
      <AppAttachments app={app} />
      <VariablesCard
        level={{ source: 'app', path }}
        example={`${app.reference} LOG_LEVEL=info`}
        deployNotBecause={nothing ? 'This app was never deployed. Save the changes, then deploy a tag.' : null}
      />
    </AppFrame>
  );
}
