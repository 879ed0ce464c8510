import { hostname } from 'node:os';
import type { OwnAccount } from '../client/own-account.ts';
import { CliError } from '../errors/exit.ts';
import type { Prompter } from '../prompts/prompter.ts';

interface How {
  isClaimed: boolean;
  /**
   * User name for a sign-in with a password. Without a user name, the CLI asks how to sign in. If there is no terminal,
   * the CLI reads an API key from stdin.
   */
  username: string | undefined;
  /** Whether the CLI creates the first user account of a new instance without a prompt. */
  claims: boolean;
}

interface PromptContext {
  ask: Prompter;
  url: string;
}

/**
 * Returns the API key for credentials.json. This is an existing API key, or a new API key after a sign-in with a
 * password.
 * @throws CliError if stdin does not contain the required input
 */
export function keyFrom(account: OwnAccount, how: How, around: PromptContext): Promise<string> {
  if (!how.isClaimed) return keyOfClaim(account, how, around);
  return how.username === undefined ? keyFromPrompt(account, around) : keyOfPassword(account, how.username, around);
}

async function keyOfClaim(
  account: OwnAccount,
  { username, claims }: How,
  { ask: prompter, url }: PromptContext,
): Promise<string> {
  if (!prompter.isPossible) {
    if (!claims || username === undefined) {
      throw new CliError(
        'conflict',
        `${url} has no users yet. Run this command at a terminal, or use --claim --username <name> and write the setup token and a password to stdin, one per line.`,
      );
    }
    const [token = '', password = ''] = await prompter.lines();
    return keyOf(account, await account.claim({ token: token.trim(), username, password }));
  }
  if (!claims) {
    const answer = await prompter.choose(`${url} has no users yet. Create the first user?`, [
      { value: 'yes', label: 'Yes, I have the setup token that was printed at the first start' },
      { value: 'no', label: 'No' },
    ]);
    if (answer === 'no') throw new CliError('failed', 'Canceled. You cannot sign in until the first user exists.');
  }
  const token = (await prompter.secret('Setup token:')).trim();
  const name = username ?? (await prompter.text('User name of the first user (an admin):'));
  const password = await newPassword(prompter);
  return keyOf(account, await account.claim({ token, username: name.trim(), password }));
}

/**
 * Prompts twice for a new password. A typing error would be serious for the first user account, because no other user
 * can reset its password.
 */
async function newPassword(prompter: Prompter): Promise<string> {
  const password = await prompter.secret('Password, at least 12 characters:');
  if ((await prompter.secret('Repeat the password:')) === password) return password;
  throw new CliError('failed', 'The passwords do not match. Nothing was changed.');
}

async function keyFromPrompt(account: OwnAccount, around: PromptContext): Promise<string> {
  const { ask: prompter } = around;
  if (!prompter.isPossible) return validKey((await prompter.lines())[0] ?? '', around.url);
  const how = await prompter.choose('Sign in with', [
    { value: 'password', label: 'user name and password' },
    { value: 'key', label: 'an API key' },
  ]);
  if (how === 'key') return validKey(await prompter.secret('API key:'), around.url);
  return keyOfPassword(account, (await prompter.text('User name:')).trim(), around);
}

async function keyOfPassword(account: OwnAccount, username: string, { ask: prompter }: PromptContext): Promise<string> {
  const password = prompter.isPossible
    ? await prompter.secret(`Password of ${username}:`)
    : ((await prompter.lines())[0] ?? '');
  return keyOf(account, await account.signIn({ username, password }));
}

const LONGEST_NAME = 64;

/**
 * Creates an API key with a session cookie, and then signs out. The CLI stores only the API key, because users can list
 * and revoke API keys.
 */
async function keyOf(account: OwnAccount, cookie: string): Promise<string> {
  const name = `davit on ${hostname()}`.replace(/\p{C}/gu, '').slice(0, LONGEST_NAME);
  try {
    return (await account.createKey({ name }, cookie)).key;
  } finally {
    /*
     * A failed sign-out is ignored, because an error of `createKey` is more important. The session expires without a
     * sign-out.
     */
    await account.signOut(cookie).catch(() => undefined);
  }
}

/**
 * Checks that a pasted text looks like an API key. Any other text may be another secret, so the CLI must not send it to
 * the server.
 */
function validKey(text: string, url: string): string {
  const key = text.trim();
  if (/^davit_[0-9a-f]{64}$/.test(key)) return key;
  throw new CliError(
    'usage',
    `This is not a valid API key. An API key begins with "davit_" and has 70 characters. Create a key on the Account page of the dashboard, or sign in with your password: davit login ${url} --username <name>`,
  );
}
