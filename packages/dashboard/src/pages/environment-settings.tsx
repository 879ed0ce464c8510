import { query } from '../api.ts';
import { DeleteEnvironment, PERMANENT, PERMANENT_REASON } from '../components/project-settings/delete-environment.tsx';
import { loadVariables } from '../components/variables/level.ts';
import { VariablesEditor } from '../components/variables/variables-editor.tsx';
import { useForbidden } from '../layout/me.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { EnvironmentPath } from '../paths.ts';
import type { LoadArgs } from '../routes.tsx';
import { Button } from '../ui/button.tsx';
import { Card, Empty } from '../ui/card.tsx';
import { Commands } from '../ui/copy.tsx';
import { Deed } from '../ui/deed.tsx';
import { useEnvironmentPath, useSearchText } from '../util/params.ts';

export function load({ queries, params }: LoadArgs<EnvironmentPath>): Promise<unknown> {
  const { project, environment } = params;
  const path = { project, environment };
  return Promise.all([
    queries.ensureQueryData(query('getEnvironment', { params: path })),
    queries.ensureQueryData(query('listApps')),
    loadVariables(queries, { source: 'environment', path }),
  ]);
}

export function Page() {
  const path = useEnvironmentPath();
  const name = `${path.project}/${path.environment}`;
  return (
    <Frame title={`Settings of ${path.environment}`}>
      <Card
        title="Variables"
        description="What every app of the environment gets: its project’s and its own, unless the app says otherwise."
      >
        <VariablesEditor
          level={{ source: 'environment', path }}
          effect="They take effect with the next deploy of each app of the environment. «Save and deploy» deploys every live app that gets other values, of the image that is live."
          deployNotBecause={null}
          empty={
            <Empty title="No variables yet">
              <p>Add one here, or from a terminal:</p>
              <Commands lines={[`davit env set ${name} LOG_LEVEL=info`]} />
            </Empty>
          }
        />
      </Card>
      <Danger path={path} />
    </Frame>
  );
}

function Danger({ path }: { path: EnvironmentPath }) {
  const forbidden = useForbidden('operate');
  const [deleting, setDeleting] = useSearchText('delete');
  const not = forbidden ?? (path.environment === PERMANENT ? PERMANENT_REASON : null);
  return (
    <Card title="Danger">
      <Deed
        title="Delete the environment"
        says={
          path.environment === PERMANENT ? PERMANENT_REASON : 'With all of its apps and variables. Volumes are kept.'
        }
      >
        <Button kind="danger" disabledBecause={not} onClick={() => setDeleting('1')}>
          Delete…
        </Button>
      </Deed>
      {deleting !== null && not === null && <DeleteEnvironment path={path} onClose={() => setDeleting(null)} />}
    </Card>
  );
}
