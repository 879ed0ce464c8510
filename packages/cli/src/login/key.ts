import { hostname } from 'node:os';
import type { OwnAccount } from '../client/own-account.ts';
import { CliError } from '../errors/exit.ts';
import type { Ask } from '../prompts/ask.ts';

interface How {
  isClaimed: boolean;
  /** User name for a password login. If absent, a person is asked, and a program provides a key. */
  username: string | undefined;
  /** Whether the first account is created without a question. */
  claims: boolean;
}

interface Surroundings {
  ask: Ask;
  url: string;
}

/**
 * Returns the API key to store: an existing key, or a new key for the user who signs in.
 * @throws CliError if there is no terminal for questions and stdin does not contain the data
 */
export function keyFrom(account: OwnAccount, how: How, around: Surroundings): Promise<string> {
  if (!how.isClaimed) return keyOfClaim(account, how, around);
  return how.username === undefined ? keyOfSomebody(account, around) : keyOfPassword(account, how.username, around);
}

async function keyOfClaim(account: OwnAccount, { username, claims }: How, { ask, url }: Surroundings): Promise<string> {
  if (!ask.isPossible) {
    if (!claims || username === undefined) {
      throw new CliError(
        'conflict',
        `Nobody has claimed ${url} yet: do so at a terminal, or with --claim --username <name> and the setup token and a password on stdin, a line each.`,
      );
    }
    const [token = '', password = ''] = await ask.lines();
    return keyOf(account, await account.claim({ token: token.trim(), username, password }));
  }
  if (!claims) {
    const answer = await ask.choose(`Nobody has claimed ${url} yet. Make the first account?`, [
      { value: 'yes', label: 'Yes: I have the setup token that its start printed' },
      { value: 'no', label: 'No' },
    ]);
    if (answer === 'no')
      throw new CliError('failed', 'Nothing was done: an instance that nobody has claimed has no accounts.');
  }
  const token = (await ask.secret('Setup token:')).trim();
  const name = username ?? (await ask.text('Username of the first account, an admin:'));
  const password = await newPassword(ask);
  return keyOf(account, await account.claim({ token, username: name.trim(), password }));
}

/** Asks for a password twice, because the input is hidden and no other user exists who could reset it. */
async function newPassword(ask: Ask): Promise<string> {
  const password = await ask.secret('Password, at least 12 characters:');
  if ((await ask.secret('The same password again:')) === password) return password;
  throw new CliError('failed', 'The two are not the same: nothing was done.');
}

async function keyOfSomebody(account: OwnAccount, around: Surroundings): Promise<string> {
  const { ask } = around;
  if (!ask.isPossible) return validKey((await ask.lines())[0] ?? '');
  const how = await ask.choose('Sign in with', [
    { value: 'password', label: 'username and password' },
    { value: 'key', label: 'an API key' },
  ]);
  if (how === 'key') return validKey(await ask.secret('API key:'));
  return keyOfPassword(account, (await ask.text('Username:')).trim(), around);
}

async function keyOfPassword(account: OwnAccount, username: string, { ask }: Surroundings): Promise<string> {
  const password = ask.isPossible ? await ask.secret(`Password of ${username}:`) : ((await ask.lines())[0] ?? '');
  return keyOf(account, await account.signIn({ username, password }));
}

const LONGEST_NAME = 64;

/**
 * Creates an API key with the session and ends the session. Only the key is stored, because keys are listed and can be
 * revoked.
 */
async function keyOf(account: OwnAccount, cookie: string): Promise<string> {
  const name = `davit on ${hostname()}`.replace(/\p{C}/gu, '').slice(0, LONGEST_NAME);
  try {
    return (await account.createKey({ name }, cookie)).key;
  } finally {
    // A session that stays open expires. The key, or the reason why there is none, is more important.
    await account.signOut(cookie).catch(() => undefined);
  }
}

/** Returns a valid API key. Other pasted text is refused, because the key is sent in a header. */
function validKey(text: string): string {
  const key = text.trim();
  if (/^davit_[0-9a-f]{64}$/.test(key)) return key;
  throw new CliError(
    'usage',
    'That is no API key: one begins with «davit_» and has 70 characters. Make one with «davit key create».',
  );
}
