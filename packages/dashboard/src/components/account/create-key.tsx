import type { ApiKeyCreated } from '@davit/api';
import { useState } from 'react';
import { useMe } from '../../layout/me.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { errorFor } from '../../util/field-error.ts';
import { type RightsDraft, RightsFields } from '../users/rights-fields.tsx';
import { EXPIRIES, type Expiry, expiryOf } from './expiry.ts';
import { useOwnCall } from './own.ts';
import { whatKeyCannotDo } from './restriction.ts';
import { firstRole } from './use-key.ts';

const FIELDS = ['name', 'expires_at'] as const;

/**
 * Renders the form for a new API key.
 * @param wanted role that a link preselects; any other text preselects the role with the fewest permissions
 * @param onMade called with the new key and its secret, which the server shows only once
 */
export function CreateKey({
  wanted,
  onClose,
  onMade,
}: {
  wanted: string;
  onClose: () => void;
  onMade: (made: ApiKeyCreated) => void;
}) {
  const me = useMe();
  const [name, setName] = useState('');
  const [rights, setRights] = useState<RightsDraft>({ role: firstRole(wanted, me.role), projects: null });
  const [expiry, setExpiry] = useState<Expiry>('90');
  const [day, setDay] = useState('');
  const create = useOwnCall('createKey', onMade);
  const submit = () => create.mutate({ name, ...rights, expires_at: expiryOf(expiry, day, Date.now()) });
  const restriction = whatKeyCannotDo(me, rights, expiry !== 'never');
  const missing = whatIsMissing(name, rights, expiry === 'day' && day === '');
  return (
    <FormDialog
      title="New API key"
      description="API keys are for the command line, pipelines and AI assistants. Create a separate API key for each use, so that you can revoke one key without the others."
      action="Create key"
      busy={create.isPending}
      disabledBecause={missing}
      error={create.error}
      onEdit={create.reset}
      fields={FIELDS}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Purpose of the key, such as “ci” or “laptop”."
        value={name}
        maxLength={64}
        onChange={(event) => setName(event.target.value)}
        error={errorFor(create.error, 'name')}
        autoFocus
      />
      <RightsFields me={me} of="key" draft={rights} onChange={setRights} />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Expires"
          options={EXPIRIES}
          value={expiry}
          onChange={setExpiry}
          error={expiry === 'day' ? null : errorFor(create.error, 'expires_at')}
        />
        {expiry === 'day' && (
          <TextField
            label="Expires after"
            type="date"
            value={day}
            onChange={(event) => setDay(event.target.value)}
            error={errorFor(create.error, 'expires_at')}
          />
        )}
      </div>
      {restriction !== null && <Notice>{restriction}</Notice>}
    </FormDialog>
  );
}

function whatIsMissing(name: string, { projects }: RightsDraft, dayIsMissing: boolean): string | null {
  if (name.trim() === '') return 'Enter a name first.';
  if (projects?.length === 0) return 'Choose a project first.';
  return dayIsMissing ? 'Choose the expiration date first.' : null;
}
