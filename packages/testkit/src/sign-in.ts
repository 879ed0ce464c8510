import type { Answer } from './contract.ts';
import { ADMIN, type TestDaemon } from './daemon.ts';

/** Sends a sign-in request. The default account is `ADMIN`. */
export function signIn(
  daemon: TestDaemon,
  account: { username: string; password: string } = ADMIN,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const json = { ...headers, 'content-type': 'application/json' };
  return daemon.send({ method: 'POST', path: '/api/auth/login', headers: json, body: JSON.stringify(account) });
}
