import { query } from '../api.ts';
import { DeleteProject } from '../components/project-settings/delete-project.tsx';
import { EnvironmentsCard } from '../components/project-settings/environments-card.tsx';
import { QuotaCard } from '../components/project-settings/quota-card.tsx';
import { NewDialogs } from '../components/projects/new-dialogs.tsx';
import { loadVariables } from '../components/variables/level.ts';
import { VariablesCard } from '../components/variables/variables-card.tsx';
import { useForbidden } from '../layout/me.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import type { ProjectPath } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Deed } from '../ui/deed.tsx';
import { useProjectPath, useSearchText } from '../util/params.ts';

export function load({ queries, params: { project } }: LoadArgs<ProjectPath>): Promise<unknown> {
  return Promise.all([
    queries.ensureQueryData(query('getProject', { params: { project } })),
    queries.ensureQueryData(query('getProjectQuota', { params: { project } })),
    queries.ensureQueryData(query('listApps')),
    queries.ensureQueryData(query('listProjects')),
    loadVariables(queries, { source: 'project', path: { project } }),
  ]);
}

export function Page() {
  const path = useProjectPath();
  return (
    <Frame title={`Settings of ${path.project}`}>
      <VariablesCard level={{ source: 'project', path }} example={`${path.project} REGION=eu`} />
      <EnvironmentsCard path={path} />
      <QuotaCard path={path} />
      <Danger path={path} />
      <NewDialogs project={path.project} />
    </Frame>
  );
}

function Danger({ path }: { path: ProjectPath }) {
  const forbidden = useForbidden('administer');
  const [deleting, setDeleting] = useSearchText('delete-project');
  return (
    <Card title="Danger zone">
      <Deed
        title="Delete project"
        says="Deletes the project with all its environments and apps. Databases, object stores and volumes move to the trash."
      >
        <Button kind="danger" disabledBecause={forbidden} onClick={() => setDeleting('1')}>
          Delete…
        </Button>
      </Deed>
      {deleting !== null && forbidden === null && <DeleteProject path={path} onClose={() => setDeleting(null)} />}
    </Card>
  );
}
