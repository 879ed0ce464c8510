import { query } from '../api.ts';
import { DeleteEnvironment, PERMANENT, PERMANENT_REASON } from '../components/project-settings/delete-environment.tsx';
import { loadVariables } from '../components/variables/level.ts';
import { VariablesCard } from '../components/variables/variables-card.tsx';
import { useForbidden } from '../layout/me.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import type { EnvironmentPath } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
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
  return (
    <Frame title={`Settings of ${path.environment}`}>
      <VariablesCard
        level={{ source: 'environment', path }}
        example={`${path.project}/${path.environment} LOG_LEVEL=info`}
      />
      <Danger path={path} />
    </Frame>
  );
}

function Danger({ path }: { path: EnvironmentPath }) {
  const forbidden = useForbidden('operate');
  const [deleting, setDeleting] = useSearchText('delete');
  const not = forbidden ?? (path.environment === PERMANENT ? PERMANENT_REASON : null);
  return (
    <Card title="Danger zone">
      <Deed
        title="Delete environment"
        says={
          path.environment === PERMANENT
            ? PERMANENT_REASON
            : 'Deletes the environment with all its apps and variables. Volumes are kept.'
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
