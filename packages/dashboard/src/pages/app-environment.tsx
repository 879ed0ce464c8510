import { useAnswer } from '../api.ts';
import { AppFrame, loadApp } from '../components/app/app-frame.tsx';
import { type Level, loadVariables } from '../components/variables/level.ts';
import { VariablesEditor } from '../components/variables/variables-editor.tsx';
import type { AppPath } from '../paths.ts';
import type { LoadArgs } from '../routes.tsx';
import { Card, Empty } from '../ui/card.tsx';
import { Commands } from '../ui/copy.tsx';
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
      <Card title="Variables" description="What the app gets: its project’s, its environment’s and its own.">
        <VariablesEditor
          level={{ source: 'app', path }}
          effect="They take effect with the next deploy of the app."
          deployNotBecause={nothing ? 'Nothing of this app was deployed yet: deploy a tag after saving.' : null}
          empty={
            <Empty title="No variables yet">
              <p>Add one here, or from a terminal:</p>
              <Commands lines={[`davit env set ${app.reference} LOG_LEVEL=info`]} />
            </Empty>
          }
        />
      </Card>
    </AppFrame>
  );
}
