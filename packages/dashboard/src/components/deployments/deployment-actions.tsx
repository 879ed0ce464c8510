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
          Cancel deployment…
        </Button>
      ) : (
        <>
          <Button kind="quiet" disabledBecause={not.delete} onClick={() => setDeleting('1')}>
            Delete record…
          </Button>
          <Button disabledBecause={not.rollBack} onClick={() => setRollback(String(id))}>
            Roll back to this release…
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
  const cancel = can.cancel(deployment)
    ? null
    : 'The new release already receives requests. Wait until the deployment is finished, then roll back.';
  const back = can.rollBackTo(deployment)
    ? null
    : `The deployment ${status}. You can only roll back to a successful deployment.`;
  return {
    cancel: forbidden ?? cancel,
    rollBack: forbidden ?? (live ? 'This deployment is live.' : back),
    delete:
      forbidden ??
      (live
        ? 'You cannot delete the live deployment. Deploy another release before you delete this deployment.'
        : null),
  };
}

interface DialogProps {
  deployment: Deployment;
  open: boolean;
  onClose: () => void;
}

function Cancel({ deployment: { id, tag }, open, onClose }: DialogProps) {
  const params = { ...useAppPath(), deployment: String(id) };
  const cancel = useCall('cancelDeployment', { changes: ['getDeployment', 'listDeployments'], onDone: onClose });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(stays) => stays || onClose()}
      title={`Cancel deployment #${id}?`}
      action="Cancel deployment"
      busy={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate({ params })}
    >
      <p>{tag} is not deployed. The live release is not affected.</p>
    </ConfirmDialog>
  );
}

function DeleteRecord({ deployment: { id, tag }, open, onClose }: DialogProps) {
  const path = useAppPath();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const remove = useCall('deleteDeployment', {
    onDone: () => {
      // Remove the deleted deployment from the cached list, because the deployments page renders the cached list first.
      queries.setQueriesData<Deployment[]>({ queryKey: ['listDeployments', path] }, (listed) =>
        listed?.filter((one) => one.id !== id),
      );
      say(`Deleted the record of deployment #${id}.`);
      void navigate({ to: paths.appDeployments(path) });
    },
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(stays) => stays || onClose()}
      title={`Delete the record of deployment #${id}?`}
      action="Delete record"
      typed={String(id)}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { ...path, deployment: String(id) } })}
    >
      <p>
        This deletes the steps and the output of the deployment. You can no longer roll back to it, and its image {tag}{' '}
        can be removed. Running replicas are not affected. This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
