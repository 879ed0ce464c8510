import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ConfirmBeforeLeaving } from '../../ui/unsaved.tsx';
import { type PlannedChange, useChangePlan } from '../app/change-plan.ts';
import { PlanView } from '../app/plan-view.tsx';
import type { FieldChange, FormState } from './form.ts';

const UNCHANGED = 'There are no changes to save.';

export interface FormCardProps {
  title: string;
  description: ReactNode;
  /** Sentence that says what happens to running replicas when the user saves the settings. */
  effect: string;
  form: FormState;
  /**
   * Whether the settings take effect only after a deployment. `false` means that the settings take effect immediately.
   * Default: `true`.
   */
  deploys?: boolean;
  children: ReactNode;
}

/**
 * Renders a card with form fields for app settings. The card also lists the unsaved changes and has the save buttons.
 */
export function FormCard({ title, description, effect, form, deploys = true, children }: FormCardProps) {
  const [reviewing, setReviewing] = useState(false);
  const { forbidden, changes, saving } = form;
  const unchanged = changes.length === 0 ? UNCHANGED : null;
  const nothing = form.app.live_deployment === null && form.app.tag === null;
  const notDeployed = nothing ? 'This app was never deployed. Save the changes, then deploy a tag.' : null;
  return (
    <Card title={title} description={description}>
      <Form
        disabledBecause={forbidden ?? unchanged}
        busy={saving !== null}
        error={form.refusal}
        onEdit={form.clearError}
        onSubmit={() => form.save(false)}
      >
        {forbidden && (
          <div className="mb-4">
            <Notice>You can see these settings but not change them. {forbidden}</Notice>
          </div>
        )}
        <fieldset disabled={forbidden !== null} className="flex max-w-2xl flex-col gap-4">
          <legend className="sr-only">{title}</legend>
          {children}
        </fieldset>
        {form.error && <Problem className="mt-4" error={form.error} />}
        <div className="mt-5 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
          <p className="min-w-0 flex-1 basis-52 text-xs text-soft">{effect}</p>
          <div className="flex flex-wrap gap-2">
            <Button disabledBecause={unchanged} onClick={form.reset}>
              Discard
            </Button>
            {deploys && (
              <Button
                busy={saving === 'deploy'}
                disabledBecause={forbidden ?? notDeployed ?? unchanged}
                onClick={() => setReviewing(true)}
              >
                Save and deploy…
              </Button>
            )}
            <Button type="submit" kind="primary" busy={saving === 'save'} disabledBecause={forbidden ?? unchanged}>
              Save
            </Button>
          </div>
        </div>
      </Form>
      <DeployReview
        open={reviewing && changes.length > 0}
        onOpenChange={setReviewing}
        changes={changes}
        planned={form.planned}
        onConfirm={() => {
          setReviewing(false);
          form.save(true);
        }}
      />
      <ConfirmBeforeLeaving unsaved={changes.length > 0} what="Settings" />
    </Card>
  );
}

function DeployReview({
  open,
  onOpenChange,
  changes,
  planned,
  onConfirm,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  changes: readonly FieldChange[];
  planned: PlannedChange | null;
  onConfirm: () => void;
}) {
  const plan = useChangePlan(open ? planned : null);
  const because = plan.error
    ? 'Cannot load the deployment plan. See the error above.'
    : plan.data
      ? null
      : 'Wait until the deployment plan is loaded.';
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      wide
      title="Save and deploy?"
      description="Saves these changes and deploys the live image again. The deployment applies all changes that are not deployed yet."
    >
      <Changes changes={changes} />
      <div className="mt-4">
        <PlanView plan={plan} none="Nothing is deployed." />
      </div>
      <Actions>
        <Button onClick={() => onOpenChange(false)}>Cancel</Button>
        <Button kind="primary" disabledBecause={because} onClick={onConfirm}>
          Save and deploy
        </Button>
      </Actions>
    </Dialog>
  );
}

export function Changes({ changes }: { changes: readonly FieldChange[] }) {
  return (
    <ul aria-label="Changes" className="divide-y divide-line border-y border-line text-sm">
      {changes.map(({ label, from, to }) => (
        <li key={label} className="py-2">
          <p className="font-medium">{label}</p>
          <p className="break-words text-soft">
            <del className="no-underline">{from}</del> → <ins className="text-text no-underline">{to}</ins>
          </p>
        </li>
      ))}
    </ul>
  );
}
