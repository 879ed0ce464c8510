import type { Quota } from '@davit/api';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import type { ProjectPath } from '../../paths.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { say } from '../../ui/toast.tsx';
import { errorFor } from '../../util/field-error.ts';
import { QUOTA_FIELDS, quotaDraft, quotaPatch } from './quota-draft.ts';

export function QuotaForm({ path, quota, onClose }: { path: ProjectPath; quota: Quota; onClose: () => void }) {
  /*
   * Keep the quota that the project had when the form opened. The form sends only the limits that the user has changed
   * since then.
   */
  const [before] = useState(() => quotaDraft(quota));
  const [draft, setDraft] = useState(before);
  const save = useCall('patchProjectQuota', {
    changes: ['getProjectQuota'],
    onDone: () => {
      say('Saved the quota.');
      onClose();
    },
  });
  const patch = quotaPatch(before, draft);
  return (
    <FormDialog
      wide
      title={`Quota of ${path.project}`}
      description="If a limit is lower than the current usage, existing resources stay. Davit refuses only requests that would increase the usage."
      action="Save quota"
      busy={save.isPending}
      disabledBecause={patch === null ? 'There are no changes to save.' : null}
      error={save.error}
      onEdit={save.reset}
      fields={QUOTA_FIELDS.map(({ resource }) => resource)}
      onSubmit={() => patch && save.mutate({ params: path, body: patch })}
      onClose={onClose}
    >
      <div className="grid items-start gap-x-6 gap-y-4 sm:grid-cols-2">
        {QUOTA_FIELDS.map(({ resource, label, isBytes }) => (
          <TextField
            key={resource}
            label={label}
            inputMode={isBytes ? undefined : 'decimal'}
            placeholder="No limit"
            hint={isBytes ? 'An amount such as 512 MiB or 50 GiB.' : undefined}
            value={draft[resource]}
            onChange={({ target }) => setDraft({ ...draft, [resource]: target.value })}
            error={errorFor(save.error, resource)}
          />
        ))}
      </div>
    </FormDialog>
  );
}
