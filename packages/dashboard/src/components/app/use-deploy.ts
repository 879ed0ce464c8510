import type { Deployment, DeployPlan } from '@davit/api';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useCall } from '../../api.ts';
import { paths } from '../../paths.ts';
import { useAppPath } from '../../util/params.ts';
import type { DeploymentRequest } from './plan.ts';

const CHANGES = ['getApp', 'listDeployments', 'listReleases', 'listApps', 'listRecentDeployments'] as const;

export interface Deploying {
  busy: boolean;
  error: Error | null;
  press: (asked: DeploymentRequest) => void;
}

/**
 * Returns a function that starts a deployment or rollback and then opens the deployment's page. A double click sends
 * only one request.
 */
export function useDeploy(): Deploying {
  const params = useAppPath();
  const navigate = useNavigate();
  const isSent = useRef(false);
  const onDone = (answer: Deployment | DeployPlan) => {
    if ('id' in answer) void navigate({ to: paths.appDeployment({ ...params, deployment: answer.id }) });
  };
  const deploy = useCall('deployApp', { changes: CHANGES, onDone });
  const rollBack = useCall('rollbackApp', { changes: CHANGES, onDone });
  const press = ({ operation, body }: DeploymentRequest) => {
    // Ignore the second click of a double click. The second click can happen before React renders the disabled button.
    if (isSent.current) return;
    isSent.current = true;
    const onSettled = () => {
      isSent.current = false;
    };
    if (operation === 'rollbackApp') rollBack.mutate({ params, body }, { onSettled });
    else deploy.mutate({ params, body }, { onSettled });
  };
  // After a successful request, the button stays busy until the page of the deployment opens.
  const busy = [deploy, rollBack].some(({ isPending, isSuccess }) => isPending || isSuccess);
  return { busy, error: deploy.error ?? rollBack.error, press };
}
