import { useQueryClient } from '@tanstack/react-query';
import { redirect, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { account } from '../account.ts';
import { useAttempt } from '../layout/attempt.ts';
import { AttemptForm } from '../layout/attempt-form.tsx';
import { Gate } from '../layout/gate.tsx';
import { fetchSetup } from '../layout/setup.ts';
import type { LoadArgs } from '../load-args.ts';
import { paths } from '../paths.ts';
import { sessionIsHere } from '../session.ts';
import { TextField } from '../ui/field.tsx';
import { errorFor, formErrorOf } from '../util/field-error.ts';

/**
 * Setup token from the URL that `npm start` prints. The token is in the URL fragment (after `#`), because browsers do
 * not send the fragment to the server.
 */
let given = '';

const FIELDS = ['token', 'username', 'password'] as const;

const tokenOf = (hash: string) => new URLSearchParams(hash.slice(1)).get('token');

export async function load({ queries }: LoadArgs): Promise<void> {
  const token = tokenOf(window.location.hash);
  if (token !== null) {
    given = token;
    /*
     * Redirect to the same URL without the fragment. The redirect removes the setup token from the history of the
     * browser.
     */
    throw redirect({ to: paths.claim(), replace: true });
  }
  /*
   * Use the same response as the sign-in page. Otherwise, the setup page and the sign-in page could redirect to each
   * other.
   */
  if ((await fetchSetup(queries)).claimed) throw redirect({ to: paths.signIn() });
}

export function Page() {
  const router = useRouter();
  const queries = useQueryClient();
  const [input, setInput] = useState({ token: given, username: 'admin', password: '' });
  const [again, setAgain] = useState('');
  const attempt = useAttempt();
  const { error } = attempt;
  useTokenOpenedHere((token) => setInput((before) => ({ ...before, token })));
  const differs = again !== '' && again !== input.password ? 'The passwords do not match.' : null;
  const missing = Object.values({ ...input, again }).includes('') ? 'Fill in every field first.' : differs;
  const field = (name: (typeof FIELDS)[number]) => ({
    name,
    value: input[name],
    onChange: (event: { target: { value: string } }) => setInput({ ...input, [name]: event.target.value }),
    error: errorFor(error, name),
  });
  const submit = () =>
    attempt.run(async () => {
      await account.claim({ ...input, token: input.token.trim(), username: input.username.trim() });
      given = '';
      queries.clear();
      sessionIsHere();
      await router.navigate({ to: paths.overview() });
    });
  return (
    <Gate
      title="Create the first admin"
      lead="This instance has no users yet. Use the setup token to create the first admin."
    >
      <AttemptForm
        attempt={attempt}
        error={formErrorOf(error, FIELDS)}
        missing={missing}
        action="Create admin"
        onSubmit={submit}
      >
        <TextField
          label="Setup token"
          hint={
            <>
              Davit printed the setup token at its first start. The setup token is also in the file{' '}
              <span className="whitespace-nowrap">setup-token</span> of the data directory.
            </>
          }
          mono
          autoFocus={given === ''}
          {...field('token')}
        />
        <TextField label="Username" autoComplete="username" autoCapitalize="none" {...field('username')} />
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          hint="At least 12 characters. A passphrase works well."
          autoFocus={given !== ''}
          {...field('password')}
        />
        <TextField
          label="Confirm password"
          type="password"
          autoComplete="new-password"
          value={again}
          onChange={(event) => setAgain(event.target.value)}
          error={differs}
        />
      </AttemptForm>
    </Gate>
  );
}

/**
 * Reads the setup token if the user opens another setup URL in this tab. Only the fragment (after `#`) of the URL
 * changes, so the browser does not reload the page.
 */
function useTokenOpenedHere(take: (token: string) => void): void {
  const router = useRouter();
  useEffect(() => {
    const onChange = ({ newURL }: HashChangeEvent) => {
      const token = tokenOf(new URL(newURL).hash);
      if (token === null) return;
      take(token);
      void router.navigate({ to: paths.claim(), replace: true });
    };
    window.addEventListener('hashchange', onChange);
    return () => window.removeEventListener('hashchange', onChange);
  }, [router, take]);
}
