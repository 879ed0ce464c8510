import { count } from '@davit/api';
import { useState } from 'react';
import { useAnswer, useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { isPromotion, picked, usePromotionPlan, type Way } from './promotion.ts';
import { PromotionPlans } from './promotion-plans.tsx';
import { PromotionResults } from './promotion-results.tsx';

export interface PromoteProps {
  project: string;
  /** Environment to which the images are promoted. By default, the user selects an environment. */
  environment?: string;
  onClose: () => void;
}

/**
 * Renders the dialog that deploys the live images of one environment to another environment. The dialog shows the
 * deployment plan of each app. After the start, it shows the progress.
 */
export function PromoteDialog({ project, environment, onClose }: PromoteProps) {
  const { environments } = useAnswer('getProject', { params: { project } });
  const [way, setWay] = useState<Way>(() => firstWay(project, environments, environment));
  const promote = useCall('promoteEnvironment', { changes: ['listApps', 'listRecentDeployments'] });
  const done = promote.data?.filter(isPromotion);
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => open || onClose()}
      title={environment ? `Promote to ${environment}` : `Promote in ${project}`}
      description="Davit deploys the live image of each app in the source environment to the app with the same name in the target environment. The settings and variables of the target environment do not change."
    >
      {done ? (
        <PromotionResults promotions={done} onClose={onClose} />
      ) : (
        <div className="flex flex-col gap-4">
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField
              label="From"
              value={way.from}
              options={optionsOf(environments, [way.to])}
              onChange={(from) => setWay({ ...way, from })}
            />
            {!environment && (
              <SelectField
                label="To"
                value={way.to}
                options={optionsOf(environments, [])}
                onChange={(to) => setWay({ ...firstWay(project, environments, to), to })}
              />
            )}
          </div>
          <Plan
            key={`${way.from} ${way.to}`}
            way={way}
            busy={promote.isPending}
            error={promote.error}
            onClose={onClose}
            onPromote={(apps) =>
              promote.mutate({ params: { project, environment: way.to }, body: { from: way.from, apps } })
            }
          />
        </div>
      )}
    </Dialog>
  );
}

interface PlanProps {
  way: Way;
  busy: boolean;
  error: Error | null;
  onPromote: (apps: string[]) => void;
  onClose: () => void;
}

function Plan({ way, busy, error, onPromote, onClose }: PlanProps) {
  const plan = usePromotionPlan(way);
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const forbidden = useForbidden('operate');
  const plans = plan.data ?? [];
  const apps = picked(plans, leftOut);
  return (
    <>
      {plan.isLoading && (
        <p className="flex items-center gap-2 text-sm text-soft">
          <Spinner /> Loading the plan…
        </p>
      )}
      {plan.data && <PromotionPlans way={way} plans={plans} leftOut={leftOut} onChange={setLeftOut} />}
      {(plan.error ?? error) && <Problem error={(plan.error ?? error) as Error} />}
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          busy={busy}
          disabledBecause={forbidden ?? (apps.length === 0 ? 'Choose at least one app.' : null)}
          onClick={() => onPromote(apps)}
        >
          {apps.length === 0 ? 'Promote' : `Promote ${count(apps.length, 'app')}`}
        </Button>
      </Actions>
    </>
  );
}

/**
 * Returns the source and the target that a promotion suggests. The target is the environment `production`, and the
 * source is the first other environment.
 */
function firstWay(project: string, environments: readonly string[], to = 'production'): Way {
  return { project, to, from: environments.find((one) => one !== to) ?? '' };
}

function optionsOf(environments: readonly string[], without: readonly string[]) {
  return environments.filter((one) => !without.includes(one)).map((value) => ({ value, label: value }));
}
