import { useNavigate } from '@tanstack/react-router';
import { useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { paths } from '../../paths.ts';
import { NameForm } from './name-form.tsx';

export function NewProject({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const forbidden = useForbidden('administer');
  const create = useCall('createProject', {
    changes: ['listProjects'],
    onDone: (made) => void navigate({ to: paths.project({ project: made.slug }) }),
  });
  return (
    <NameForm
      title="New project"
      description="A project groups apps and databases, and determines which users have access. A new project has the environment “production”."
      action="Create project"
      forbidden={forbidden}
      create={create}
      onName={(slug) => create.mutate({ body: { slug } })}
      onClose={onClose}
    />
  );
}
