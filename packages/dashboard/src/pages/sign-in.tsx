import { useQueryClient } from '@tanstack/react-query';
import { redirect, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { account } from '../account.ts';
import { useAttempt } from '../layout/attempt.ts';
import { AttemptForm } from '../layout/attempt-form.tsx';
import { Gate } from '../layout/gate.tsx';
import { fetchSetup } from '../layout/setup.ts';
import type { LoadArgs } from '../load-args.ts';
import { paths } from '../paths.ts';
import { returnAddress, session, sessionHasBegun, sessionIsNone } from '../session.ts';
import { Commands } from '../ui/copy.tsx';
import { TextField } from '../ui/field.tsx';

/**
 * If the user is signed in, redirects to the requested page. If the instance has no user yet, redirects to the setup
 * page.
 */
export async function load({ queries, search }: LoadArgs): Promise<void> {
  const { claimed, signed_in: isSignedIn } = await fetchSetup(queries);
  if (!claimed) throw redirect({ to: paths.claim() });
  if (isSignedIn && session.get() !== 'none') throw redirect({ href: returnAddress(search.to) });
  sessionIsNone();
}

export function Page() {
  const router = useRouter();
  const queries = useQueryClient();
  const search: { to?: unknown } = useSearch({ strict: false });
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const attempt = useAttempt();
  const submit = () =>
    attempt.run(async () => {
      await account.signIn({ username: username.trim(), password });
      queries.clear();
      sessionHasBegun();
      await router.navigate({ href: returnAddress(search.to) });
    });
  const missing = username.trim() === '' || password === '' ? 'Fill in both fields first.' : null;
  return (
    <Gate title="Sign in" lead={`Sign in to ${window.location.host}`}>
      <AttemptForm attempt={attempt} missing={missing} action="Sign in" onSubmit={submit}>
        <TextField
          label="Username"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          autoFocus
          value={username}
          onChange={(event) => setUsername(event.target.value)}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </AttemptForm>
      <Forgotten username={username.trim()} />
    </Gate>
  );
}

function Forgotten({ username }: { username: string }) {
  const name = /^[a-z0-9][a-z0-9._-]*$/.test(username) ? username : 'NAME';
  return (
    <details className="mt-4 text-sm text-soft">
      <summary className="cursor-pointer py-1">Forgot password?</summary>
      <p className="mt-1.5 mb-2">
        An admin can reset the password on the page “Users”. A user with a shell on the server can run this command:
      </p>
      <Commands lines={[`davit --local user set ${name} --reset-password`]} />
    </details>
  );
}
