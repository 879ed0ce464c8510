import { query } from '../api.ts';
import { DeleteProject } from '../components/project-settings/delete-project.tsx';
import { EnvironmentsCard } from '../components/project-settings/environments-card.tsx';
import { NewDialogs } from '../components/projects/new-dialogs.tsx';
import { loadVariables } from '../components/variables/level.ts';
import { VariablesEditor } from '../components/variables/variables-editor.tsx';
import { useForbidden } from '../layout/me.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { ProjectPath } from '../paths.ts';
import type { LoadArgs } from '../routes.tsx';
import { Button } from '../ui/button.tsx';
import { Card, Empty } from '../ui/card.tsx';
import { Commands } from '../ui/copy.tsx';
import { Deed } from '../ui/deed.tsx';
import { useProjectPath, useSearchText } from '../util/params.ts';

export function load({ queries, params: { project } }: LoadArgs<ProjectPath>): Promise<unknown> {
  return Promise.all([
    queries.ensureQueryData(query('getProject', { params: { project } })),
    queries.ensureQueryData(query('listApps')),
    queries.ensureQueryData(query('listProjects')),
    loadVariables(queries, { source: 'project', path: { project } }),
  ]);
}

export function Page() {
  const path = useProjectPath();
  return (
    <Frame title={`Settings of ${path.project}`}>
      <Card
        title="Variables"
        description="What every app of the project gets, unless its environment or itself says otherwise."
      >
        <VariablesEditor
          level={{ source: 'project', path }}
          effect="They take effect with the next deploy of each app of the project. «Save and deploy» deploys every live app that gets other values, of the image that is live."
          deployNotBecause={null}
          empty={
            <Empty title="No variables yet">
              <p>Add one here, or from a terminal:</p>
              <Commands lines={[`davit env set ${path.project} REGION=eu`]} />
            </Empty>
          }
        />
      </Card>
      <EnvironmentsCard path={path} />
      <Danger path={path} />
      <NewDialogs project={path.project} />
    </Frame>
  );
}

function Danger({ path }: { path: ProjectPath }) {
  const forbidden = useForbidden('administer');
  const [deleting, setDeleting] = useSearchText('delete-project');
  return (
    <Card title="Danger">
      <Deed title="Delete the project" says="With all of its environments and apps. Volumes are kept.">
        <Button kind="danger" disabledBecause={forbidden} onClick={() => setDeleting('1')}>
          Delete…
        </Button>
      </Deed>
      {deleting !== null && forbidden === null && <DeleteProject path={path} onClose={() => setDeleting(null)} />}
    </Card>
  );
}
