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

/** Renders the actions that make the app unavailable. */
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
    <Card title="Danger" description="What takes the app away from those who use it.">
      <div className="flex flex-col divide-y divide-line">
        {isStopped ? (
          <Deed title="Start the app" says="Deploys the release that was live when it was stopped.">
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
            title="Stop the app"
            says="Its hosts answer 503 and its internal names are gone until it is started or deployed. Volumes, domains and settings stay."
          >
            <Button disabledBecause={not.stop} onClick={() => setStop('1')}>
              Stop…
            </Button>
          </Deed>
        )}
        <Deed
          title="Delete the app"
          says="What runs is stopped and removed, and its deployments are forgotten. Volumes are kept."
        >
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
      say(`${reference} is deleted.`);
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
      action="Delete the app"
      typed={reference}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params })}
    >
      <p>
        Gone for good: what runs, its settings and variables, its deployments and logs
        {hosts.length > 0 && `, and its domains ${hosts.join(', ')}`}.
      </p>
      <p>
        {kept.length > 0
          ? `Its volumes (${kept.join(', ')}) are kept with their data: another app can adopt them.`
          : 'It has no volumes.'}
        {source === 'registry' && ' What was pushed for it is kept for the days that the settings name.'}
      </p>
    </ConfirmDialog>
  );
}
