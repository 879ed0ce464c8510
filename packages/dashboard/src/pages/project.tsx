import { query, useAnswer } from '../api.ts';
import { EnvironmentCard } from '../components/projects/environment-card.tsx';
import { NewButtons, NewDialogs } from '../components/projects/new-dialogs.tsx';
import { PromoteDialog } from '../components/projects/promote-dialog.tsx';
import { useForbidden } from '../layout/me.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import { type ProjectPath, paths } from '../paths.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { useProjectPath, useSearchText } from '../util/params.ts';

export async function load({ queries, params: { project } }: LoadArgs<ProjectPath>): Promise<void> {
  await Promise.all([
    queries.ensureQueryData(query('getProject', { params: { project } })),
    queries.ensureQueryData(query('listApps')),
    queries.ensureQueryData(query('listProjects')),
  ]);
}

export function Page() {
  const path = useProjectPath();
  const { environments } = useAnswer('getProject', { params: path });
  const apps = useAnswer('listApps').filter(({ project }) => project === path.project);
  const [promote, setPromote] = useSearchText('promote');
  return (
    <Frame
      title={path.project}
      actions={
        <>
          <ButtonLink to={paths.projectSettings(path)}>Settings</ButtonLink>
          <Promote environments={environments} onPress={() => setPromote('1')} />
          <NewButtons project={path.project} />
        </>
      }
    >
      <ul aria-label="Environments" className="grid grid-cols-[repeat(auto-fit,minmax(min(20rem,100%),1fr))] gap-4">
        {environments.map((environment) => (
          <li key={environment}>
            <EnvironmentCard
              path={{ ...path, environment }}
              apps={apps.filter((app) => app.environment === environment)}
            />
          </li>
        ))}
      </ul>
      {promote !== null && <PromoteDialog project={path.project} onClose={() => setPromote(null)} />}
      <NewDialogs project={path.project} />
    </Frame>
  );
}

function Promote({ environments, onPress }: { environments: readonly string[]; onPress: () => void }) {
  const forbidden = useForbidden('operate');
  const alone = environments.length < 2 ? 'There is only one environment. Create another environment first.' : null;
  return (
    <Button disabledBecause={forbidden ?? alone} onClick={onPress}>
      Promote…
    </Button>
  );
}
