import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { paths } from '../../paths.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { errorFor } from '../../util/field-error.ts';
import { slugProblem } from '../../util/slug.ts';
import { nameProblem } from '../projects/created-problem.ts';
import { useEnvironmentReferences } from '../projects/environment-references.ts';
import { NameField } from '../projects/name-field.tsx';
import { LimitFields, limitsIn } from '../things/limit-fields.tsx';
import {
  keepStoreDraft,
  missingInStore,
  newStore,
  type StoreDraft,
  storeArgs,
  storeDraftAgain,
} from './new-store-draft.ts';

const FIELDS = ['name', 'description', 'version', 'limits.cpu', 'limits.memory_bytes'] as const;

/**
 * Renders the form for a new managed object store. After submission, the page of the new object store shows the
 * progress of the creation.
 */
export function NewStore({
  again,
  onClose,
}: {
  /** Name of an object store whose creation failed. The form then contains the values of this creation. */
  again?: string;
  onClose: () => void;
}) {
  const environments = useEnvironmentReferences();
  const [draft, setDraft] = useState<StoreDraft>(() => {
    const target = environments[0] ?? '';
    return again === undefined ? newStore(target) : storeDraftAgain(again, target);
  });
  const forbidden = useForbidden('administer');
  const navigate = useNavigate();
  const { mutate, isPending, error, reset } = useCall('createObjectStore', {
    changes: ['listObjectStores', 'getObjectStore', 'listTasks'],
    onDone: ({ subject }) => void navigate({ to: paths.objectStore({ object_store: subject.name }) }),
  });
  const set = (part: Partial<StoreDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    reset();
  };
  const taken = nameProblem(error, 'name');
  return (
    <FormDialog
      wide
      title="New object store"
      description="A SeaweedFS store runs in an environment, and apps of this environment can reach it by its name."
      action="Create store"
      busy={isPending}
      disabledBecause={forbidden ?? slugProblem(draft.name) ?? missingInStore(draft)}
      error={error}
      isErrorShown={taken !== null}
      fields={FIELDS}
      noValidate
      onSubmit={() => {
        keepStoreDraft(draft);
        mutate(storeArgs(draft));
      }}
      onClose={onClose}
    >
      <SelectField
        label="Project and environment"
        value={draft.place}
        onChange={(target) => set({ place: target })}
        options={environments.map((value) => ({ value, label: value }))}
      />
      <NameField name={draft.name} onChange={(name) => set({ name })} refused={taken} />
      <TextField
        label="Description"
        note="optional"
        value={draft.description}
        onChange={({ target }) => set({ description: target.value })}
        error={errorFor(error, 'description')}
      />
      <LimitFields {...limitsIn(draft, error, set)} />
      <TextField
        label="Version"
        note="optional"
        mono
        autoCapitalize="none"
        hint="Tag of the SeaweedFS image. Leave blank to use the tested version."
        value={draft.version}
        onChange={({ target }) => set({ version: target.value })}
        error={errorFor(error, 'version')}
      />
    </FormDialog>
  );
}
