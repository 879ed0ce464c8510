import type { AppPlan, DeployPlan, Planned } from '@davit/api';
import type { UseQueryResult } from '@tanstack/react-query';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';

export function PlanView({ plan, none }: { plan: UseQueryResult<Planned>; none: string }) {
  return (
    <section aria-label="Plan" aria-busy={plan.isFetching} className="min-h-40 rounded-lg bg-sunken p-3 text-sm">
      {plan.data &&
        !plan.error &&
        (Array.isArray(plan.data) ? <OfApps plans={plan.data} /> : <Plan plan={plan.data} />)}
      {plan.error && <Problem error={plan.error} />}
      {plan.isLoading && (
        <p className="flex items-center gap-2 text-soft">
          <Spinner /> Loading the plan…
        </p>
      )}
      {!plan.isEnabled && !plan.data && <p className="text-soft">{none}</p>}
    </section>
  );
}

/** Renders the deployment plans of a change that affects several apps, one plan for each app. */
function OfApps({ plans }: { plans: readonly AppPlan[] }) {
  if (plans.length === 0)
    return <p>No deployment is needed, because the variables of all running apps stay the same.</p>;
  return (
    <ul className="flex max-h-72 flex-col gap-2 overflow-y-auto">
      {plans.map(({ app, plan }) => (
        <li key={app}>
          <details>
            <summary className="cursor-pointer py-0.5 font-medium break-words">Deployment of {app}</summary>
            <div className="mt-1 pl-4">
              <Plan plan={plan} />
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}

function Plan({ plan: { changes, steps } }: { plan: DeployPlan }) {
  return (
    <div className="flex flex-col gap-3">
      <div>
        <h3 className="mb-1 text-sm">Changes</h3>
        <ul className="flex flex-col gap-0.5">
          {changes.map((change) => (
            <li key={change} className="break-words">
              {change}
            </li>
          ))}
          {changes.length === 0 && <li>No changes.</li>}
        </ul>
      </div>
      <div>
        <h3 className="mb-1 text-sm">Steps</h3>
        <ol className="flex list-decimal flex-col gap-0.5 pl-5 text-soft">
          {steps.map(({ name, describe }) => (
            <li key={name} className="break-words">
              {describe}
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}
