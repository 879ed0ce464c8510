import { Dialog } from '@base-ui/react/dialog';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { account } from '../account.ts';
import { paths } from '../paths.ts';
import { sessionHasBegun } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { Actions } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Problem } from '../ui/problem.tsx';
import { useAttempt, waitReason, withWait } from './attempt.ts';
import { useMe } from './me.ts';

/**
 * Renders a dialog that asks for the password after the session has expired. The page behind the dialog keeps the input
 * of the user.
 */
export function SessionOver() {
  const { username } = useMe();
  const queries = useQueryClient();
  const router = useRouter();
  const [password, setPassword] = useState('');
  const attempt = useAttempt();
  const submit = () =>
    attempt.run(async () => {
      await account.signIn({ username, password });
      sessionHasBegun();
      // Fetch all data again, because the server refused requests after the session had expired.
      await queries.invalidateQueries();
      await router.invalidate();
    });
  const missing = password === '' ? 'Enter your password first.' : null;
  return (
    <Dialog.Root open disablePointerDismissal>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-50 bg-scrim" />
        <Dialog.Viewport className="fixed inset-0 z-50 grid items-start justify-items-center overflow-y-auto p-3 pt-[12vh]">
          <Dialog.Popup className="w-full max-w-sm rounded-xl border border-line bg-panel p-5 shadow-float outline-none">
            <Dialog.Title className="text-lg leading-snug">Your session has expired</Dialog.Title>
            <Dialog.Description className="mt-1 mb-4 text-sm text-soft">
              Sign in again as “{username}” to continue. The page keeps your input.
            </Dialog.Description>
            <Form disabledBecause={waitReason(attempt) ?? missing} busy={attempt.busy} onSubmit={() => void submit()}>
              <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
              <TextField
                label="Password"
                name="password"
                type="password"
                autoComplete="current-password"
                autoFocus
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
              {attempt.error && <Problem className="mt-4" error={attempt.error} />}
              <Actions>
                <Button kind="quiet" onClick={() => window.location.assign(paths.signIn())}>
                  Sign in as another user
                </Button>
                <Button
                  type="submit"
                  kind="primary"
                  busy={attempt.busy}
                  disabledBecause={waitReason(attempt) ?? missing}
                >
                  {withWait('Sign in', attempt)}
                </Button>
              </Actions>
            </Form>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
