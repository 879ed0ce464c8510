import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ConfirmBeforeLeaving } from '../../ui/unsaved.tsx';
import { errorFor, formErrorOf } from '../../util/field-error.ts';
import {
  type General,
  type GeneralDraft,
  type GeneralPatch,
  generalOf,
  generalPatch,
  memoryProblem,
} from './general-draft.ts';
import { LimitFields, limitsIn } from './limit-fields.tsx';

const FIELDS = ['description', 'limits.cpu', 'limits.memory_bytes'];

/**
 * Renders the form for the description and the limits of a database or an object store. Fields that the user has not
 * edited show the current settings.
 */
export function GeneralForm({
  known,
  forbidden,
  call,
  send,
}: {
  known: General;
  /** Reason why the user may not change the settings. `null` if the user may change them. */
  forbidden: string | null;
  call: { isPending: boolean; error: Error | null; reset: () => void };
  send: (patch: GeneralPatch, onSuccess: () => void) => void;
}) {
  const [draft, setDraft] = useState<Partial<GeneralDraft>>({});
  const shown = { ...generalOf(known), ...draft };
  const patch = generalPatch(known, draft);
  const unchanged = patch === null ? 'There are no changes to save.' : null;
  const missing = unchanged ?? memoryProblem(draft.memory ?? '');
  const set = (part: Partial<GeneralDraft>) => setDraft((before) => ({ ...before, ...part }));
  const formError = formErrorOf(call.error, FIELDS);
  return (
    <Card
      title="General"
      description={known.limits === null ? undefined : 'New limits apply immediately, without a restart.'}
    >
      <Form
        disabledBecause={forbidden ?? missing}
        error={call.error}
        onEdit={call.reset}
        onSubmit={() => patch !== null && send(patch, () => setDraft({}))}
      >
        <fieldset disabled={forbidden !== null} className="flex max-w-2xl flex-col gap-4">
          <legend className="sr-only">General</legend>
          <TextField
            label="Description"
            value={shown.description}
            onChange={({ target }) => set({ description: target.value })}
            error={errorFor(call.error, 'description')}
          />
          {known.limits !== null && <LimitFields {...limitsIn(shown, call.error, set)} />}
        </fieldset>
        {formError && <Problem className="mt-4" error={formError} />}
        <div className="mt-5 flex justify-end gap-2 border-t border-line pt-4">
          <Button disabledBecause={unchanged} onClick={() => setDraft({})}>
            Discard
          </Button>
          <Button type="submit" kind="primary" busy={call.isPending} disabledBecause={forbidden ?? missing}>
            Save
          </Button>
        </div>
      </Form>
      <ConfirmBeforeLeaving unsaved={patch !== null} what="Settings" />
    </Card>
  );
}
