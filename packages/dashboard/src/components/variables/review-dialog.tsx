import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { FieldError } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { type PlannedChange, useChangePlan } from '../app/change-plan.ts';
import { PlanView } from '../app/plan-view.tsx';
import type { Difference, Entry } from './changes.ts';
import type { ConcurrentChange } from './draft.ts';
import { dialogErrorOf, refusalOf } from './refusal.ts';
import { Soft, Value } from './value.tsx';

const WORDS = {
  added: 'added',
  changed: 'changed',
  removed: 'removed',
  marked: 'becomes a secret',
  unmarked: 'is no longer a secret',
} as const;
const TONES = {
  added: 'text-good',
  changed: 'text-warning',
  removed: 'text-error',
  marked: 'text-warning',
  unmarked: 'text-warning',
} as const;

export interface ReviewProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  changes: readonly Difference[];
  meanwhile: readonly ConcurrentChange[];
  /** Sentence that says what happens to running apps when the user saves the environment variables. */
  effect: ReactNode;
  /** Reason why the user can save the environment variables but not deploy them. `null` if the user can also deploy. */
  deployNotBecause: string | null;
  /** Unsaved change for which the dialog shows the deployment plan. `null` if saving the change deploys no app. */
  planned: PlannedChange | null;
  error: Error | null;
  saving: 'save' | 'deploy' | null;
  onSave: (deploy: boolean) => void;
}

/** Renders the dialog in which the user reviews all unsaved changes of environment variables before a save. */
export function ReviewDialog(props: ReviewProps) {
  const { open, onOpenChange, changes, meanwhile: concurrentChanges, effect, error, saving, onSave } = props;
  const isDeployable = props.deployNotBecause === null && changes.length > 0;
  const plan = useChangePlan(open && isDeployable ? props.planned : null);
  const unplanned = plan.error
    ? 'Cannot load the deployment plan. See the error above.'
    : plan.data
      ? null
      : 'Wait until the deployment plan is loaded.';
  const dialogError = dialogErrorOf(
    error,
    changes.map(({ key }) => key),
  );
  return (
    <Dialog open={open} onOpenChange={onOpenChange} wide title="Save these changes?" description={effect}>
      {concurrentChanges.length > 0 && <ConcurrentChangesNotice meanwhile={concurrentChanges} />}
      <ul
        aria-label="Changes"
        className="max-h-[50vh] divide-y divide-line overflow-y-auto border-y border-line text-sm"
      >
        {changes.map((change) => (
          <Changed key={change.key} change={change} error={refusalOf(error, change.key)} />
        ))}
      </ul>
      {changes.length === 0 && <p className="py-2 text-sm text-soft">There are no changes to save.</p>}
      {isDeployable && (
        <div className="mt-4 flex flex-col gap-1.5">
          <h3 className="text-sm">Deployment plan</h3>
          <PlanView plan={plan} none="The variables are saved without a deployment." />
        </div>
      )}
      {dialogError && <Problem className="mt-3" error={dialogError} />}
      <Actions>
        <Button onClick={() => onOpenChange(false)}>Back</Button>
        <Button
          busy={saving === 'deploy'}
          disabledBecause={saving === null ? (props.deployNotBecause ?? unplanned) : null}
          onClick={() => saving === null && onSave(true)}
        >
          Save and deploy
        </Button>
        <Button kind="primary" busy={saving === 'save'} onClick={() => saving === null && onSave(false)}>
          Save
        </Button>
      </Actions>
    </Dialog>
  );
}

function Changed({ change: { key, change, from, to }, error }: { change: Difference; error: string | null }) {
  return (
    <li className="flex flex-col gap-1 py-2">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <code className="font-mono text-[0.8125rem] font-medium break-all">{key}</code>
        <span className={`text-xs ${TONES[change]}`}>
          {WORDS[change]}
          {change === 'changed' &&
            from?.secret !== to?.secret &&
            (to?.secret ? ', now a secret' : ', no longer a secret')}
          {change === 'added' && to?.secret && ', a secret'}
        </span>
      </p>
      {from && change !== 'marked' && change !== 'unmarked' && <Side sign="−" name={`${key} before`} entry={from} />}
      {to && <Side sign="+" name={`${key} after`} entry={to} />}
      <FieldError error={error} />
    </li>
  );
}

function Side({ sign, name, entry }: { sign: '−' | '+'; name: string; entry: Entry }) {
  return (
    <div className={`flex items-center gap-2 rounded px-2 py-0.5 ${sign === '+' ? 'bg-good-soft' : 'bg-error-soft'}`}>
      <span className="sr-only">{sign === '+' ? 'After: ' : 'Before: '}</span>
      <span aria-hidden className="font-mono text-soft">
        {sign}
      </span>
      <Value name={name} entry={entry} />
    </div>
  );
}

/**
 * Lists environment variables that other users changed while this page had unsaved changes. The unsaved changes are not
 * lost.
 */
export function ConcurrentChangesNotice({ meanwhile: concurrentChanges }: { meanwhile: readonly ConcurrentChange[] }) {
  return (
    <div className="mb-3">
      <Notice tone="warning">
        <p>Another user changed these variables in the meantime. Saving overwrites those changes with yours.</p>
        <ul className="mt-1 flex flex-col gap-0.5">
          {concurrentChanges.map(({ key, source, from, to }) => (
            <li key={`${source} ${key}`} className="flex flex-wrap items-center gap-x-1.5 text-text">
              <code className="font-mono text-[0.8125rem]">{key}</code>
              <Soft>{source}</Soft>
              <Short entry={from} none="not set" /> → <Short entry={to} none="removed" />
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}

function Short({ entry, none }: { entry: Entry | null; none: string }) {
  if (entry === null) return <Soft>{none}</Soft>;
  return <Value name="the value" entry={entry} />;
}
