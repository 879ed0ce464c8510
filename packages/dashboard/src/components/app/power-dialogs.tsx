import type { App } from '@davit/api';
import { useNavigate } from '@tanstack/react-router';
import { useCall } from '../../api.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { say } from '../../ui/toast.tsx';
import { useAppPath } from '../../util/params.ts';

interface DialogProps {
  app: App;
  onClose: () => void;
}

export function RestartDialog({ app, onClose }: DialogProps) {
  const params = useAppPath();
  const navigate = useNavigate();
  const restart = useCall('restartApp', {
    changes: ['getApp', 'listDeployments'],
    onDone: ({ id }) => void navigate({ to: paths.appDeployment({ ...params, deployment: id }) }),
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Restart ${app.name}?`}
      description={`Starts new replicas of the live release ${app.live_tag}, then stops the old replicas. No requests are lost. Settings that are not deployed yet do not take effect.`}
    >
      {restart.error && <Problem error={restart.error} />}
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" busy={restart.isPending} onClick={() => restart.mutate({ params })}>
          Restart
        </Button>
      </Actions>
    </Dialog>
  );
}

export function StopDialog({ app, onClose }: DialogProps) {
  const params = useAppPath();
  const stop = useCall('stopApp', {
    changes: ['getApp', 'listApps', 'listDeployments'],
    onDone: () => {
      say(`Stopped ${app.name}.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Stop ${app.name}?`}
      action="Stop app"
      busy={stop.isPending}
      error={stop.error}
      onConfirm={() => stop.mutate({ params })}
    >
      <p>All replicas stop, the domains of the app respond with status 503, and a running deployment is canceled.</p>
      <p>Start or deploy the app to run it again. Volumes, domains and settings are kept.</p>
    </ConfirmDialog>
  );
}
