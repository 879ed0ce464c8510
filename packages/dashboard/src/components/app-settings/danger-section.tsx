import { useNavigate } from '@tanstack/react-router';
import { useAnswer, useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Deed } from '../../ui/deed.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { say, sayProblem } from '../../ui/toast.tsx';
import { useAppPath, useSearchText } from '../../util/params.ts';
import { whyNot } from '../app/app-may.ts';

/** Renders the buttons that stop, start or delete an app. */
export function DangerSection() {
  const params = useAppPath();
  const app = useAnswer('getApp', { params });
  const forbidden = useForbidden('operate');
  const [, setStop] = useSearchText('stop');
  const [deleting, setDeleting] = useSearchText('delete');
  const navigate = useNavigate();
  const not = whyNot(app, forbidden);
  const start = useCall('startApp', {
    changes: ['getApp', 'listDeployments'],
    onDone: ({ id }) => void navigate({ to: paths.appDeployment({ ...params, deployment: id }) }),
  });
  const isStopped = app.status === 'stopped';
  return (
    <Card title="Danger zone" description="Actions that take the app offline.">
      <div className="flex flex-col divide-y divide-line">
        {isStopped ? (
          <Deed title="Start app" says="Deploys the release that was live when the app was stopped.">
            <Button
              busy={start.isPending}
              disabledBecause={not.start}
              onClick={() => start.mutate({ params }, { onError: sayProblem })}
            >
              Start
            </Button>
          </Deed>
        ) : (
          <Deed
            title="Stop app"
            says="All replicas stop, and the domains respond with status 503, until you start or deploy the app. Volumes, domains and settings are kept."
          >
            <Button disabledBecause={not.stop} onClick={() => setStop('1')}>
              Stop…
            </Button>
          </Deed>
        )}
        <Deed title="Delete app" says="Deletes the app with its replicas, deployments and settings. Volumes are kept.">
          <Button kind="danger" disabledBecause={forbidden} onClick={() => setDeleting('1')}>
            Delete…
          </Button>
        </Deed>
      </div>
      <DeleteApp
        open={deleting !== null && forbidden === null}
        onOpenChange={(open) => setDeleting(open ? '1' : null)}
      />
    </Card>
  );
}

function DeleteApp({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const params = useAppPath();
  const { reference, volumes, domains, source } = useAnswer('getApp', { params });
  const navigate = useNavigate();
  const remove = useCall('deleteApp', {
    changes: ['listApps', 'listVolumes'],
    onDone: () => {
      say(`Deleted ${reference}.`);
      void navigate({ to: paths.environment(params) });
    },
  });
  const hosts = domains.map(({ host }) => host);
  const kept = volumes.map(({ path }) => path);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete ${reference}?`}
      action="Delete app"
      typed={reference}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params })}
    >
      <p>
        This permanently deletes the replicas, settings, variables, deployments and logs
        {hosts.length > 0 && `, and the domains ${hosts.join(', ')}`}. This cannot be undone.
      </p>
      <p>
        {kept.length > 0
          ? `The volumes (${kept.join(', ')}) are kept with their data. Another app can attach these volumes.`
          : 'The app has no volumes.'}
        {source === 'registry' && ' The registry settings specify when Davit deletes the pushed images.'}
      </p>
    </ConfirmDialog>
  );
}
