import type { PlannedResource } from '@davit/api';

type Action = PlannedResource['action'];

/**
 * Label and color of each action in an installation plan. The label is always visible, because some users cannot
 * distinguish colors.
 */
const ACTIONS: Record<Action, { word: string; look: string }> = {
  create: { word: 'new', look: 'bg-good-soft text-good' },
  adopt: { word: 'reused', look: 'bg-accent-soft text-accent' },
  use: { word: 'exists', look: 'bg-sunken text-soft' },
  change: { word: 'changed', look: 'bg-warning-soft text-warning' },
  remove: { word: 'removed', look: 'bg-error-soft text-error' },
  keep: { word: 'kept', look: 'bg-sunken text-soft' },
};

/**
 * Lists the resources in the plan of an installation or update, each with the planned action. The server applies the
 * actions in this order.
 */
export function PlannedList({ label, resources }: { label: string; resources: readonly PlannedResource[] }) {
  return (
    <ul aria-label={label} className="flex flex-col divide-y divide-line text-sm">
      {resources.map(({ kind, reference, action, detail }) => {
        const { word, look } = ACTIONS[action];
        return (
          <li key={`${kind} ${reference}`} className="flex items-start justify-between gap-3 py-1.5">
            <div className="min-w-0">
              <p className="break-words">
                <span className="text-soft">{kind}</span>{' '}
                <span className="font-mono text-[0.8125rem]">{reference}</span>
              </p>
              {detail && <p className="text-xs break-words text-soft">{detail}</p>}
            </div>
            <span className={`shrink-0 rounded px-1.5 text-xs font-medium ${look}`}>{word}</span>
          </li>
        );
      })}
    </ul>
  );
}
