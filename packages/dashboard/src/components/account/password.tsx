import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Problem } from '../../ui/problem.tsx';
import { say } from '../../ui/toast.tsx';
import { errorFor, formErrorOf } from '../../util/field-error.ts';
import { useOwnCall } from './own.ts';

const FIELDS = ['current_password', 'new_password'] as const;
const NONE = { current: '', next: '', again: '' };

export function Password({ username }: { username: string }) {
  const [typed, setTyped] = useState(NONE);
  const change = useOwnCall('changePassword', () => {
    setTyped(NONE);
    say('Changed your password. Your other sessions have ended. API keys still work.');
  });
  const missing = whatIsMissing(typed);
  const set = (name: keyof typeof NONE) => ({
    value: typed[name],
    onChange: (event: { target: { value: string } }) => setTyped({ ...typed, [name]: event.target.value }),
  });
  return (
    <Card
      title="Password"
      description="If you change the password, your other sessions end and your connected OAuth clients lose access. API keys still work."
    >
      <Form
        className="flex flex-col gap-3"
        disabledBecause={missing}
        busy={change.isPending}
        error={change.error}
        onEdit={change.reset}
        onSubmit={() => change.mutate({ current_password: typed.current, new_password: typed.next })}
      >
        {/* Hidden field with the user name. Password managers need the user name to save or fill in the passwords. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          error={errorFor(change.error, FIELDS[0])}
          {...set('current')}
        />
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          hint="At least 12 characters. A passphrase works well."
          error={errorFor(change.error, FIELDS[1])}
          {...set('next')}
        />
        <TextField
          label="Confirm new password"
          type="password"
          autoComplete="new-password"
          error={typed.again !== '' && typed.again !== typed.next ? 'The passwords do not match.' : null}
          {...set('again')}
        />
        {change.error && formErrorOf(change.error, FIELDS) && <Problem error={change.error} />}
        <div className="flex justify-end">
          <Button type="submit" kind="primary" busy={change.isPending} disabledBecause={missing}>
            Change password
          </Button>
        </div>
      </Form>
    </Card>
  );
}

function whatIsMissing({ current, next, again }: typeof NONE): string | null {
  if (current === '') return 'Enter your current password first.';
  if (next === '') return 'Enter a new password first.';
  return next === again ? null : 'The two new passwords must match.';
}
