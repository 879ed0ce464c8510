import type { App } from '@davit/api';
import { type ReactNode, useRef } from 'react';
import { useForbidden } from '../../layout/me.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { type Asked, usePlan } from './plan.ts';
import { PlanView } from './plan-view.tsx';
import { useDeploy } from './use-deploy.ts';

/** Renders a dialog with a choice of release, the deployment plan, and the button that starts the deployment. */
export function PlanDialog({
  app,
  title,
  description,
  asked,
  none,
  action,
  onClose,
  children,
}: {
  app: App;
  title: string;
  description: string;
  /** Deployment or rollback that the user chose in the dialog, or `null` if nothing is chosen yet. */
  asked: Asked | null;
  /** Sentence that says what the user must choose first. */
  none: string;
  action: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const { busy, error, press } = useDeploy();
  const planned = useRef(app);
  if (!busy) planned.current = app;
  const plan = usePlan(planned.current, asked, busy);
  const forbidden = useForbidden('operate');
  const because =
    asked === null
      ? none
      : plan.error
        ? 'Cannot load the plan of the deployment. See the error above.'
        : plan.data
          ? null
          : 'Wait until the plan of the deployment is loaded.';
  return (
    <FormDialog
      wide
      title={title}
      description={description}
      action={action}
      busy={busy}
      disabledBecause={forbidden ?? because}
      error={error}
      onSubmit={() => asked !== null && press(asked)}
      onClose={onClose}
    >
      {children}
      <PlanView plan={plan} none={none} />
    </FormDialog>
  );
}
