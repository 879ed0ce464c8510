import type { App } from '@davit/api';
import { type ReactNode, useRef } from 'react';
import { useForbidden } from '../../layout/me.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { type DeploymentRequest, usePlan } from './plan.ts';
import { PlanView } from './plan-view.tsx';
import { useDeploy } from './use-deploy.ts';

/**
 * Renders a dialog for a deployment, a rollback or a promotion. The dialog shows the form fields in `children`, the
 * deployment plan, and a confirm button.
 */
export function PlanDialog({
  app,
  title,
  description,
  asked: request,
  none,
  action,
  onClose,
  children,
}: {
  app: App;
  title: string;
  description: string;
  /** Deployment, rollback or promotion that the user selected. `null` if the user has not selected anything yet. */
  asked: DeploymentRequest | null;
  /** Message that is shown instead of the deployment plan while the user has not selected a release. */
  none: string;
  action: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const { busy, error, press } = useDeploy();
  const planned = useRef(app);
  if (!busy) planned.current = app;
  const plan = usePlan(planned.current, request, busy);
  const forbidden = useForbidden('operate');
  const because =
    request === null
      ? none
      : plan.error
        ? 'Cannot load the deployment plan. See the error above.'
        : plan.data
          ? null
          : 'Wait until the deployment plan is loaded.';
  return (
    <FormDialog
      wide
      title={title}
      description={description}
      action={action}
      busy={busy}
      disabledBecause={forbidden ?? because}
      error={error}
      onSubmit={() => request !== null && press(request)}
      onClose={onClose}
    >
      {children}
      <PlanView plan={plan} none={none} />
    </FormDialog>
  );
}
