import { can, type Deployment, isTerminal } from '@davit/api';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { say } from '../../ui/toast.tsx';
import { useAppPath, useSearchText } from '../../util/params.ts';

export function DeploymentActions({ deployment }: { deployment: Deployment }) {
  const [, setRollback] = useSearchText('rollback');
  const [cancelling, setCancelling] = useSearchText('cancel');
  const [deleting, setDeleting] = useSearchText('delete');
  const not = useWhyNot(deployment);
  const { id } = deployment;
  return (
    <>
      {!isTerminal(deployment.status) ? (
        <Button disabledBecause={not.cancel} onClick={() => setCancelling('1')}>
          Cancel it…
        </Button>
      ) : (
        <>
          <Button kind="quiet" disabledBecause={not.delete} onClick={() => setDeleting('1')}>
            Delete the record…
          </Button>
          <Button disabledBecause={not.rollBack} onClick={() => setRollback(String(id))}>
            Roll back to this…
          </Button>
        </>
      )}
      <Cancel deployment={deployment} open={cancelling !== null} onClose={() => setCancelling(null)} />
      <DeleteRecord deployment={deployment} open={deleting !== null} onClose={() => setDeleting(null)} />
    </>
  );
}

function useWhyNot(deployment: Deployment) {
  const forbidden = useForbidden('operate');
  const { status, live } = deployment;
  const cancel = can.cancel(deployment) ? null : 'It is moving the traffic: wait a moment, then roll back.';
  const back = can.rollBackTo(deployment) ? null : `It ${status}: only one that succeeded can be gone back to.`;
  return {
    cancel: forbidden ?? cancel,
    rollBack: forbidden ?? (live ? 'It is what is live.' : back),
    delete: forbidden ?? (live ? 'It is what is live: deploy another release first.' : null),
  };
}

interface AskProps {
  deployment: Deployment;
  open: boolean;
  onClose: () => void;
}

function Cancel({ deployment: { id, tag }, open, onClose }: AskProps) {
  const params = { ...useAppPath(), deployment: String(id) };
  const cancel = useCall('cancelDeployment', { changes: ['getDeployment', 'listDeployments'], onDone: onClose });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(stays) => stays || onClose()}
      title={`Cancel deployment #${id}?`}
      action="Cancel the deployment"
      busy={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate({ params })}
    >
      <p>{tag} is not deployed. What is live stays as it is, and loses no request.</p>
    </ConfirmDialog>
  );
}

function DeleteRecord({ deployment: { id, tag }, open, onClose }: AskProps) {
  const path = useAppPath();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const remove = useCall('deleteDeployment', {
    onDone: () => {
      // The list page shows the cached list at once, so the list must not contain the deleted deployment.
      queries.setQueriesData<Deployment[]>({ queryKey: ['listDeployments', path] }, (listed) =>
        listed?.filter((one) => one.id !== id),
      );
      say(`The record of deployment #${id} is deleted.`);
      void navigate({ to: paths.appDeployments(path) });
    },
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(stays) => stays || onClose()}
      title={`Delete the record of deployment #${id}?`}
      action="Delete the record"
      typed={String(id)}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { ...path, deployment: String(id) } })}
    >
      <p>
        Its steps and its output are gone, and its image of {tag} is let go of: it cannot be gone back to any more. What
        runs stays as it is.
      </p>
    </ConfirmDialog>
  );
}
