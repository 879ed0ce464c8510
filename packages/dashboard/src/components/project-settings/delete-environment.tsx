import { useNavigate } from '@tanstack/react-router';
import { useAnswer, useCall } from '../../api.ts';
import { type EnvironmentPath, paths } from '../../paths.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { say } from '../../ui/toast.tsx';
import { Goes } from './goes.tsx';

/** Name of the environment that every project has. Users can delete this environment only together with the project. */
export const PERMANENT = 'production';
export const PERMANENT_REASON = 'The environment “production” can only be deleted together with its project.';

export function DeleteEnvironment({ path, onClose }: { path: EnvironmentPath; onClose: () => void }) {
  const { project, environment } = path;
  const apps = useAnswer('listApps').filter((app) => app.project === project && app.environment === environment);
  const navigate = useNavigate();
  const name = `${project}/${environment}`;
  const remove = useCall('deleteEnvironment', {
    changes: ['getProject', 'listProjects', 'listEnvironments', 'listApps', 'listVolumes'],
    onDone: () => {
      say(`Deleted ${name}.`);
      void navigate({ to: paths.project(path), ignoreBlocker: true });
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete ${name}?`}
      action="Delete environment"
      typed={name}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: path })}
    >
      <Goes apps={apps} what="the environment with its variables" />
    </ConfirmDialog>
  );
}
