import type { User } from '@davit/api';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { say } from '../../ui/toast.tsx';
import { errorFor } from '../../util/field-error.ts';
import { PasswordChoice, type PasswordDraft, passwordIsMissing } from './password-choice.tsx';
import { PasswordShown } from './password-shown.tsx';

const FIELDS = ['password'] as const;

/** Renders the form that sets a new password for another user. */
export function ResetPassword({ user: { username }, onClose }: { user: User; onClose: () => void }) {
  const [draft, setDraft] = useState<PasswordDraft>({ how: 'generate', text: '' });
  const [made, setMade] = useState<string | null>(null);
  const reset = useCall('patchUser', {
    changes: ['getUser', 'listUserSessions', 'listUserConnections'],
    onDone: ({ password }) => {
      if (password !== undefined) return setMade(password);
      say(`Set a new password for ${username}.`);
      onClose();
    },
  });
  if (made !== null) return <PasswordShown username={username} password={made} onClose={onClose} />;
  const missing = passwordIsMissing(draft);
  const body = draft.how === 'give' ? { password: draft.text } : { reset_password: true as const };
  return (
    <FormDialog
      title={`Reset the password of ${username}`}
      description="The current password stops working. All sessions of the user end. Clients that act for the user, such as AI assistants, lose access. API keys still work."
      action="Reset password"
      busy={reset.isPending}
      disabledBecause={missing}
      error={reset.error}
      onEdit={reset.reset}
      fields={FIELDS}
      onSubmit={() => reset.mutate({ params: { user: username }, body })}
      onClose={onClose}
    >
      <PasswordChoice draft={draft} onChange={setDraft} error={errorFor(reset.error, 'password')} />
    </FormDialog>
  );
}
