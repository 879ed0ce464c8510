import { useNavigate } from '@tanstack/react-router';
import { useAnswer, useCall } from '../../api.ts';
import { type ProjectPath, paths } from '../../paths.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { say } from '../../ui/toast.tsx';
import { Goes } from './goes.tsx';

export function DeleteProject({ path, onClose }: { path: ProjectPath; onClose: () => void }) {
  const { project } = path;
  const apps = useAnswer('listApps').filter((app) => app.project === project);
  const { environments } = useAnswer('getProject', { params: path });
  const navigate = useNavigate();
  const remove = useCall('deleteProject', {
    changes: ['listProjects', 'listApps', 'listVolumes'],
    onDone: () => {
      say(`Deleted ${project}.`);
      void navigate({ to: paths.projects(), ignoreBlocker: true });
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete project ${project}?`}
      action="Delete project"
      typed={project}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: path })}
    >
      <Goes apps={apps} what={`the project with its variables and its environments ${environments.join(', ')}`} />
    </ConfirmDialog>
  );
}
