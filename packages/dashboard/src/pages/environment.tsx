import { query, useAnswer } from '../api.ts';
import { EnvironmentDatabases } from '../components/databases/databases-card.tsx';
import { EnvironmentApps } from '../components/projects/environment-apps.tsx';
import { NewButtons, NewDialogs } from '../components/projects/new-dialogs.tsx';
import { NoApp } from '../components/projects/no-app.tsx';
import { PromoteDialog } from '../components/projects/promote-dialog.tsx';
import { useForbidden } from '../layout/me.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import { type EnvironmentPath, paths } from '../paths.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { useEnvironmentPath, useSearchText } from '../util/params.ts';

export async function load({ queries, params }: LoadArgs<EnvironmentPath>): Promise<void> {
  const { project, environment } = params;
  await Promise.all([
    queries.ensureQueryData(query('getEnvironment', { params: { project, environment } })),
    queries.ensureQueryData(query('getProject', { params: { project } })),
    queries.ensureQueryData(query('listApps')),
    queries.ensureQueryData(query('listDatabases')),
    queries.ensureQueryData(query('listProjects')),
  ]);
}

export function Page() {
  const path = useEnvironmentPath();
  const { project, environment } = path;
  useAnswer('getEnvironment', { params: path });
  const { environments } = useAnswer('getProject', { params: { project } });
  const apps = useAnswer('listApps').filter((app) => app.project === project && app.environment === environment);
  const [promote, setPromote] = useSearchText('promote');
  const forbidden = useForbidden('operate');
  const alone =
    environments.length < 2 ? `${environment} is the only environment. Create another environment first.` : null;
  return (
    <Frame
      title={environment}
      lead={<span className="text-sm text-soft">in {project}</span>}
      actions={
        <>
          <ButtonLink to={paths.environmentSettings(path)}>Settings</ButtonLink>
          <Button disabledBecause={forbidden ?? alone} onClick={() => setPromote('1')}>
            Promote…
          </Button>
          <NewButtons {...path} />
        </>
      }
    >
      {apps.length === 0 ? <NoApp path={path} /> : <EnvironmentApps apps={apps} />}
      <EnvironmentDatabases {...path} />
      {promote !== null && (
        <PromoteDialog project={project} environment={environment} onClose={() => setPromote(null)} />
      )}
      <NewDialogs {...path} />
    </Frame>
  );
}
