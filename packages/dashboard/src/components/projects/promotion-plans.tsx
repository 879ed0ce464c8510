import type { PromotionPlan } from '@davit/api';
import { useId } from 'react';
import { nameOf, type Way } from './promotion.ts';

/**
 * Renders the deployment plans of a promotion with a check box for each app. If an app cannot be promoted, its row
 * shows the reason.
 */
export function PromotionPlans({
  way,
  plans,
  leftOut,
  onChange,
}: {
  way: Way;
  plans: readonly PromotionPlan[];
  leftOut: ReadonlySet<string>;
  onChange: (leftOut: ReadonlySet<string>) => void;
}) {
  if (plans.length === 0) {
    return (
      <p className="rounded-md bg-sunken px-3 py-2 text-sm">
        No live app in {way.from} has the same name as an app in {way.to}.
      </p>
    );
  }
  const toggle = (app: string) => {
    const next = new Set(leftOut);
    if (!next.delete(app)) next.add(app);
    onChange(next);
  };
  return (
    <ul aria-label="Apps" className="divide-y divide-line rounded-md border border-line">
      {plans.map((plan) => (
        <li key={plan.app} className="px-3 py-2 text-sm">
          {plan.plan === null ? (
            <NotPossible plan={plan} />
          ) : (
            <Possible plan={plan} isIn={!leftOut.has(plan.app)} onToggle={() => toggle(plan.app)} />
          )}
        </li>
      ))}
    </ul>
  );
}

function NotPossible({ plan: { app, skipped, error } }: { plan: PromotionPlan }) {
  return (
    <div className="pl-6">
      <p className="font-medium">{nameOf(app)}</p>
      {skipped && <p className="text-soft">{skipped}</p>}
      {error && <p className="text-error">{error}</p>}
    </div>
  );
}

function Possible({
  plan: { app, plan },
  isIn,
  onToggle,
}: {
  plan: PromotionPlan;
  isIn: boolean;
  onToggle: () => void;
}) {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <input
        id={id}
        type="checkbox"
        checked={isIn}
        onChange={onToggle}
        aria-describedby={`${id}-changes`}
        className="mt-0.5 size-4 accent-accent"
      />
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="font-medium">
          {nameOf(app)}
        </label>
        <div id={`${id}-changes`} className="text-soft">
          {plan?.changes.map((change) => (
            <p key={change}>{change}</p>
          ))}
        </div>
        <details className="mt-1 text-xs text-soft">
          <summary className="w-fit cursor-pointer py-0.5">
            Steps<span className="sr-only"> of {nameOf(app)}</span>
          </summary>
          <ol className="mt-1 list-decimal pl-5">
            {plan?.steps.map(({ name, describe }) => (
              <li key={name}>{describe}</li>
            ))}
          </ol>
        </details>
      </div>
    </div>
  );
}
