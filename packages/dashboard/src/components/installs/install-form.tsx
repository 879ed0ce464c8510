import type { InstallPlan, Task } from '@davit/api';
import { type ReactNode, useState } from 'react';
import { useForbidden } from '../../layout/me.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { Manifest } from '../templates/manifest.ts';
import { AdoptFields } from './adopt-fields.tsx';
import { bodyOf, emptyDraft, type InstallDraft, inputsShown, problemOf, problemsIn, problemsOutside } from './draft.ts';
import { InputField } from './input-field.tsx';
import { NameFields, thingsIn } from './name-fields.tsx';
import { type Offer, useInstall, usePlan } from './offer.ts';
import { PlannedList } from './planned-list.tsx';
import { TargetFields } from './target-fields.tsx';

export interface InstallFormProps {
  offer: Offer;
  manifest: Manifest;
  /** Project and environment that the install form suggests. */
  place?: { project: string | null; environment: string | null };
  onBegun: (task: Task) => void;
}

/**
 * Renders the form with a template's inputs and the installation plan. While the user types, the server checks the
 * inputs.
 */
export function InstallForm({ offer, manifest, place: target, onBegun }: InstallFormProps) {
  const [draft, setDraft] = useState<InstallDraft>(() => emptyDraft(manifest, target));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [tried, setTried] = useState(false);
  const forbidden = useForbidden('administer');
  const body = bodyOf(draft, manifest);
  const { plan, error, isChecking } = usePlan(offer, body, forbidden === null);
  const { install, busy, error: refusal, reset } = useInstall(offer, onBegun);
  const problems = problemsNow(plan, error, refusal, manifest);
  const inputs = inputsShown(manifest, draft.inputs, problems);
  const change = (part: Partial<InstallDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    reset();
  };
  const answer = (key: string, text: string) => {
    setTouched((before) => new Set([...before, key]));
    change({ inputs: { ...draft.inputs, [key]: text } });
  };
  const refused = (field: string) => problemOf(problems, field);
  const otherProblems = problemsOutside(problems, fieldsOf(manifest));
  const submit = () => {
    setTried(true);
    // Send the checksum from the plan. The server refuses the installation if the template has changed since the plan.
    const sum = plan !== null && !isChecking ? { sha256: plan.origin.sha256 } : {};
    if (problems.length === 0 && !busy) install({ ...body, ...sum });
  };
  return (
    <Form noValidate className="flex flex-col gap-5" disabledBecause={forbidden} onSubmit={submit}>
      {forbidden !== null && <Notice>You can see the inputs but not install the template. {forbidden}</Notice>}
      <fieldset disabled={forbidden !== null} className="flex min-w-0 flex-col gap-5">
        <TargetFields place={draft} refused={refused} onChange={change} />
        {inputs.length > 0 && (
          <Part title="Inputs">
            {inputs.map((input) => (
              <InputField
                key={input.key}
                input={input}
                text={draft.inputs[input.key] ?? ''}
                // Show an error only after the user edited the field or tried to submit the form.
                error={tried || touched.has(input.key) ? refused(`inputs.${input.key}`) : null}
                onChange={(text) => answer(input.key, text)}
              />
            ))}
          </Part>
        )}
        <AdoptFields manifest={manifest} draft={draft} refused={refused} onChange={change} />
        <Names hasProblem={problems.some(({ field }) => field.startsWith('names.'))}>
          <NameFields manifest={manifest} draft={draft} refused={refused} onChange={(names) => change({ names })} />
        </Names>
        <CheckField
          label="Keep resources if the installation fails"
          hint="After a failed installation, you can inspect the created resources and try again. If this option is off, Davit deletes the created resources."
          checked={draft.keepFailed}
          onChange={(event) => change({ keepFailed: event.target.checked })}
        />
      </fieldset>
      {plan !== null && <PlanPart plan={plan} isChecking={isChecking} />}
      {otherProblems.map(({ field, message }) => (
        <Problem key={`${field} ${message}`} error={new Error(message)} />
      ))}
      <div className="flex flex-wrap items-center justify-end gap-3">
        {tried && problems.length > otherProblems.length && (
          <p role="status" className="text-sm text-error">
            Correct the fields above first.
          </p>
        )}
        <Button type="submit" kind="primary" busy={busy} disabledBecause={forbidden ?? unfit(plan)}>
          Install
        </Button>
      </div>
    </Form>
  );
}

function unfit(plan: InstallPlan | null): string | null {
  return plan === null || plan.fits ? null : (plan.problem ?? 'This template is not compatible with this instance.');
}

/** Returns the names of all fields of the install form. The server's error messages refer to fields by these names. */
function fieldsOf(manifest: Manifest): string[] {
  return [
    ...['project', 'environment'],
    ...manifest.inputs.map(({ key }) => `inputs.${key}`),
    ...thingsIn(manifest).map(({ kind, key }) => `names.${kind}.${key}`),
    ...manifest.databases.map(({ key }) => `adopt.databases.${key}`),
  ];
}

/**
 * Returns the problems that the install form shows. They come from the latest installation plan. If the server has
 * refused the installation, the reasons are included too.
 */
function problemsNow(plan: InstallPlan | null, error: Error | null, refusal: Error | null, manifest: Manifest) {
  const planProblems = error === null ? (plan?.problems ?? []) : problemsIn(error, fieldsOf(manifest));
  return refusal === null ? planProblems : [...planProblems, ...problemsIn(refusal, fieldsOf(manifest))];
}

function PlanPart({ plan, isChecking }: { plan: InstallPlan; isChecking: boolean }) {
  return (
    <Part title="Resources to create" note={isChecking ? <Spinner label="Checking the plan" /> : null}>
      {!plan.fits && <Notice tone="error">{unfit(plan)}</Notice>}
      <div className={isChecking ? 'opacity-60' : ''}>
        <PlannedList label="Resources to create" resources={plan.resources} />
      </div>
      {plan.generated.length > 0 && (
        <p className="text-xs text-soft">
          Davit generates and encrypts: {plan.generated.join(', ')}. Users who can read secrets see the values on the
          page of the installation.
        </p>
      )}
    </Part>
  );
}

function Part({ title, note = null, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-4">
      <h3 className="flex items-center gap-2 border-b border-line pb-1 text-sm">
        {title} {note}
      </h3>
      {children}
    </section>
  );
}

/** Renders the fields for resource names in a collapsed section, because few users change the names. */
function Names({ hasProblem, children }: { hasProblem: boolean; children: ReactNode }) {
  return (
    <details open={hasProblem || undefined} className="group">
      <summary className="cursor-pointer text-sm font-medium">Resource names</summary>
      <div className="pt-3">{children}</div>
    </details>
  );
}
