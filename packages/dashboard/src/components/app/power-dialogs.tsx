import type { App } from '@davit/api';
import { useNavigate } from '@tanstack/react-router';
import { useCall } from '../../api.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { say } from '../../ui/toast.tsx';
import { useAppPath } from '../../util/params.ts';

interface AskProps {
  app: App;
  onClose: () => void;
}

export function RestartDialog({ app, onClose }: AskProps) {
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
      description={`Fresh instances of exactly what is live, ${app.live_tag}, take over one release from the other: no request is lost. Settings that wait for a deploy go on waiting.`}
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

export function StopDialog({ app, onClose }: AskProps) {
  const params = useAppPath();
  const stop = useCall('stopApp', {
    changes: ['getApp', 'listApps', 'listDeployments'],
    onDone: () => {
      say(`${app.name} is stopped.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Stop ${app.name}?`}
      action="Stop the app"
      busy={stop.isPending}
      error={stop.error}
      onConfirm={() => stop.mutate({ params })}
    >
      <p>Its hosts answer 503 at once, what runs ends, and a deployment that is under way is cancelled.</p>
      <p>It stays stopped until it is started or deployed. Volumes, domains and settings stay.</p>
    </ConfirmDialog>
  );
}
