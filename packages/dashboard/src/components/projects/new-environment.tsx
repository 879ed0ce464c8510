import { useNavigate } from '@tanstack/react-router';
import { useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { paths } from '../../paths.ts';
import { NameForm } from './name-form.tsx';

export function NewEnvironment({ project, onClose }: { project: string; onClose: () => void }) {
  const navigate = useNavigate();
  const forbidden = useForbidden('operate');
  const create = useCall('createEnvironment', {
    changes: ['listEnvironments', 'getProject', 'listProjects'],
    onDone: (made) => void navigate({ to: paths.environment({ project, environment: made.slug }) }),
  });
  return (
    <NameForm
      title={`New environment in ${project}`}
      description="An environment, such as “staging”, has its own apps, network and variables."
      action="Create environment"
      forbidden={forbidden}
      create={create}
      onName={(slug) => create.mutate({ params: { project }, body: { slug } })}
      onClose={onClose}
    />
  );
}
