import type { User } from '@davit/api';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { say } from '../../ui/toast.tsx';
import { errorBeside, errorFor } from '../../util/field-error.ts';
import { PasswordChoice, type PasswordDraft, passwordIsMissing } from './password-choice.tsx';
import { PasswordShown } from './password-shown.tsx';

/** A new password for somebody who has lost his, or shall not use it any more. */
export function ResetPassword({ user: { username }, onClose }: { user: User; onClose: () => void }) {
  const [draft, setDraft] = useState<PasswordDraft>({ how: 'generate', text: '' });
  const [made, setMade] = useState<string | null>(null);
  const reset = useCall('patchUser', {
    changes: ['getUser', 'listUserSessions'],
    onDone: ({ password }) => {
      if (password !== undefined) return setMade(password);
      say(`${username} has a new password.`);
      onClose();
    },
  });
  if (made !== null) return <PasswordShown username={username} password={made} onClose={onClose} />;
  const missing = passwordIsMissing(draft);
  const body = draft.how === 'give' ? { password: draft.text } : { reset_password: true as const };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`A new password for ${username}`}
      description="His present one does not work any more, and he is signed out everywhere. His keys go on working."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (missing === null && !reset.isPending) reset.mutate({ params: { user: username }, body });
        }}
      >
        <PasswordChoice draft={draft} onChange={setDraft} error={errorFor(reset.error, 'password')} />
        {reset.error && errorBeside(reset.error, ['password']) && <Problem className="mt-4" error={reset.error} />}
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={reset.isPending} disabledBecause={missing}>
            Set the password
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
