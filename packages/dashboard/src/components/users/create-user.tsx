import type { UserWithPassword } from '@davit/api';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { useMe } from '../../layout/me.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { errorBeside, errorFor } from '../../util/field-error.ts';
import { PasswordChoice, type PasswordDraft, passwordIsMissing } from './password-choice.tsx';
import { type RightsDraft, RightsFields } from './rights-fields.tsx';

const FIELDS = ['username', 'password'] as const;

/** The form for a new user. @param onMade gets him with the password that was generated, which nothing else keeps */
export function CreateUser({ onClose, onMade }: { onClose: () => void; onMade: (made: UserWithPassword) => void }) {
  const me = useMe();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState<PasswordDraft>({ how: 'generate', text: '' });
  const [rights, setRights] = useState<RightsDraft>({ role: 'member', projects: me.projects === null ? null : [] });
  const create = useCall('createUser', { changes: ['listUsers'], onDone: onMade });
  const missing = username.trim() === '' ? 'Give him a name first.' : passwordIsMissing(password);
  const given = password.how === 'give' ? { password: password.text } : {};
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="New user"
      description="He signs in with a username and a password, and can change the password himself."
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (missing === null && !create.isPending)
            create.mutate({ body: { username: username.trim(), ...rights, ...given } });
        }}
      >
        <TextField
          label="Username"
          hint="Lower-case letters, digits, «.», «_» and «-». It is permanent."
          value={username}
          onChange={(event) => setUsername(event.target.value)}
          error={errorFor(create.error, 'username')}
          autoFocus
        />
        <PasswordChoice draft={password} onChange={setPassword} error={errorFor(create.error, 'password')} />
        <RightsFields me={me} of="user" draft={rights} onChange={setRights} />
        {create.error && errorBeside(create.error, FIELDS) && <Problem error={create.error} />}
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={create.isPending} disabledBecause={missing}>
            Create the user
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
