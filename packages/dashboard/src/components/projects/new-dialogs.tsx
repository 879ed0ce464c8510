import { Plus } from 'lucide-react';
import { Suspense } from 'react';
import { useForbidden } from '../../layout/me.ts';
import type { EnvironmentPath } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { useSearchText } from '../../util/params.ts';
import { lazyPart } from '../../util/part.ts';
import { NewApp } from './new-app.tsx';
import { NewEnvironment } from './new-environment.tsx';
import { NewProject } from './new-project.tsx';

const NewDatabase = lazyPart(() => import('../databases/new-database.tsx').then((file) => file.NewDatabase));

/**
 * Renders the form for a new project, environment, database or app. The query parameter `new` selects the form, for
 * example `?new=app`.
 */
export function NewDialogs({ project, environment }: Partial<EnvironmentPath>) {
  const [what, open] = useSearchText('new');
  const onClose = () => open(null);
  if (what === 'project' && !project) return <NewProject onClose={onClose} />;
  if (what === 'environment' && project) return <NewEnvironment project={project} onClose={onClose} />;
  const target = project && environment ? `${project}/${environment}` : undefined;
  if (what === 'database') {
    return (
      <Suspense>
        <NewDatabase place={target} project={project} onClose={onClose} />
      </Suspense>
    );
  }
  if (what !== 'app') return null;
  return <NewApp place={target} project={project} onClose={onClose} />;
}

/**
 * Renders the buttons that create resources.
 * @param project current project; if it is absent, there is also a button that creates a project
 */
export function NewButtons({ project, environment }: Partial<EnvironmentPath>) {
  const [, open] = useSearchText('new');
  const operate = useForbidden('operate');
  const administer = useForbidden('administer');
  return (
    <>
      {!project && (
        <Button disabledBecause={administer} onClick={() => open('project')}>
          New project…
        </Button>
      )}
      {project && !environment && (
        <Button disabledBecause={operate} onClick={() => open('environment')}>
          New environment…
        </Button>
      )}
      <Button kind="primary" disabledBecause={operate} onClick={() => open('app')}>
        <Plus className="size-4" aria-hidden />
        New app…
      </Button>
    </>
  );
}
