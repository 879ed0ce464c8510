import type { App } from '@davit/api';
import { type ReactNode, useRef } from 'react';
import { useForbidden } from '../../layout/me.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { type Asked, usePlan } from './plan.ts';
import { PlanView } from './plan-view.tsx';
import { useDeploy } from './use-deploy.ts';

/** What is chosen, what it would do, and the button that does it. */
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
  /** Null: nothing is chosen yet. */
  asked: Asked | null;
  /** What has to be chosen first, in a sentence. */
  none: string;
  /** What the button says. */
  action: string;
  onClose: () => void;
  /** What is chosen from. */
  children: ReactNode;
}) {
  const { busy, error, press } = useDeploy();
  const planned = useRef(app);
  if (!busy) planned.current = app;
  const plan = usePlan(planned.current, asked, busy);
  const forbidden = useForbidden('operate');
  const because = asked === null ? none : plan.error ? 'See why above.' : plan.data ? null : 'The plan comes first.';
  return (
    <Dialog open wide onOpenChange={(open) => open || onClose()} title={title} description={description}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (asked !== null && (forbidden ?? because) === null && !busy) press(asked);
        }}
      >
        {children}
        <PlanView plan={plan} none={none} />
        {error && <Problem error={error} />}
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={busy} disabledBecause={forbidden ?? because}>
            {action}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
