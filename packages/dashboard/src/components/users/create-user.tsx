import type { UserWithPassword } from '@davit/api';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { useMe } from '../../layout/me.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { errorFor } from '../../util/field-error.ts';
import { PasswordChoice, type PasswordDraft, passwordIsMissing } from './password-choice.tsx';
import { type RightsDraft, RightsFields } from './rights-fields.tsx';

const FIELDS = ['username', 'password'] as const;

/**
 * Renders the form for a new user.
 * @param onMade called with the user and the generated password; the server returns the password only once
 */
export function CreateUser({ onClose, onMade }: { onClose: () => void; onMade: (made: UserWithPassword) => void }) {
  const me = useMe();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState<PasswordDraft>({ how: 'generate', text: '' });
  const [rights, setRights] = useState<RightsDraft>({ role: 'member', projects: me.projects === null ? null : [] });
  const create = useCall('createUser', { changes: ['listUsers'], onDone: onMade });
  const missing = username.trim() === '' ? 'Enter a username first.' : passwordIsMissing(password);
  const given = password.how === 'give' ? { password: password.text } : {};
  return (
    <FormDialog
      title="New user"
      description="The user signs in with this username and password. Users can change their password on the account page."
      action="Create user"
      busy={create.isPending}
      disabledBecause={missing}
      error={create.error}
      onEdit={create.reset}
      fields={FIELDS}
      onSubmit={() => create.mutate({ body: { username: username.trim(), ...rights, ...given } })}
      onClose={onClose}
    >
      <TextField
        label="Username"
        hint="Lowercase letters, digits, “.”, “_” and “-”. The username cannot be changed later."
        value={username}
        onChange={(event) => setUsername(event.target.value)}
        error={errorFor(create.error, 'username')}
        autoFocus
      />
      <PasswordChoice draft={password} onChange={setPassword} error={errorFor(create.error, 'password')} />
      <RightsFields me={me} of="user" draft={rights} onChange={setRights} />
    </FormDialog>
  );
}
