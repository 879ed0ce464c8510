import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { GlobalOptions } from '../declaration/global-options.ts';
import { environmentOfProcess } from '../process/env.ts';
import { chooseConnection, normalUrl } from './choose.ts';
import { forgetContext } from './forget.ts';
import { type Credentials, readCredentials, writeCredentials } from './store.ts';

const TWO: Credentials = {
  current: 'home',
  contexts: {
    home: { url: 'http://127.0.0.1:3000', key: 'davit_home', username: 'ada' },
    work: { url: 'https://davit.example.com', key: 'davit_work', username: 'grace' },
  },
};
const GLOBALS: GlobalOptions = {
  json: false,
  quiet: false,
  yes: false,
  context: undefined,
  local: false,
  noColor: false,
};

describe('credentials of the command line', () => {
  let folder: string;
  let configDir: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'davit-credentials-'));
    configDir = join(folder, 'davit');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const environment = (variables: Record<string, string> = {}) =>
    environmentOfProcess({ XDG_CONFIG_HOME: folder, ...variables });

  test('are readable only by their owner, including their folder', async () => {
    await writeCredentials(configDir, TWO);
    assert.equal((await stat(join(configDir, 'credentials.json'))).mode & 0o777, 0o600);
    assert.equal((await stat(configDir)).mode & 0o777, 0o700);
  });

  test('are replaced as a whole and restored to mode 600', async () => {
    await writeCredentials(configDir, TWO);
    await writeFile(join(configDir, 'credentials.json'), '{"contexts": {}}', { mode: 0o644 });
    await writeCredentials(configDir, TWO);
    assert.deepEqual(await readCredentials(configDir), TWO);
    assert.deepEqual(await readdir(configDir), ['credentials.json']);
    assert.equal((await stat(join(configDir, 'credentials.json'))).mode & 0o777, 0o600);
  });

  test('are refused and left unchanged if the file is invalid', async () => {
    await writeCredentials(configDir, TWO);
    const file = join(configDir, 'credentials.json');
    for (const text of ['{', '[]', 'null', '{"contexts": {"a": {"url": 1}}}']) {
      await writeFile(file, text);
      await assert.rejects(readCredentials(configDir), /Remove the file and sign in again/);
      assert.equal(await readFile(file, 'utf8'), text);
    }
  });

  test('have no context without a file, and the error suggests davit login', async () => {
    assert.deepEqual(await readCredentials(configDir), { current: null, contexts: {} });
    await assert.rejects(chooseConnection(GLOBALS, environment()), /Run `davit login <url>`/);
  });

  test('are chosen from socket, flag, variables and current context in order', async () => {
    await writeCredentials(configDir, TWO);
    const both = { DAVIT_URL: 'https://ci.example', DAVIT_API_KEY: 'davit_ci', DAVIT_CONTEXT: 'work' };
    const at = async (globals: Partial<GlobalOptions>, variables?: Record<string, string>) => {
      const { url, key, socketPath } = await chooseConnection({ ...GLOBALS, ...globals }, environment(variables));
      return socketPath ?? `${url} ${key}`;
    };
    assert.equal(await at({ local: true, context: 'work' }, { ...both, DAVIT_DATA_DIR: '/data' }), '/data/davit.sock');
    assert.equal(await at({ context: 'home' }, both), 'http://127.0.0.1:3000 davit_home');
    assert.equal(await at({}, both), 'https://ci.example davit_ci');
    assert.equal(await at({}, { DAVIT_CONTEXT: 'work' }), 'https://davit.example.com davit_work');
    assert.equal(await at({}), 'http://127.0.0.1:3000 davit_home');
  });

  test('are refused if only DAVIT_URL or only DAVIT_API_KEY is set', async () => {
    await writeCredentials(configDir, TWO);
    await assert.rejects(chooseConnection(GLOBALS, environment({ DAVIT_API_KEY: 'davit_x' })), /but DAVIT_URL is not/);
    await assert.rejects(
      chooseConnection(GLOBALS, environment({ DAVIT_URL: 'https://x.example' })),
      /but DAVIT_API_KEY is not/,
    );
  });

  test('are refused without showing an invalid key or a password in errors', async () => {
    for (const key of ['davit_secret\nx: y', 'davit_sécret', 'davit secret']) {
      const variables = { DAVIT_URL: 'https://x.example', DAVIT_API_KEY: key };
      await assert.rejects(
        chooseConnection(GLOBALS, environment(variables)),
        /^CliError: DAVIT_API_KEY is not a valid API key[^\n]*$/,
      );
    }
    assert.throws(
      () => normalUrl('https://ada:secret@x.example'),
      (error: Error) => !error.message.includes('secret'),
    );
  });

  test('suggest the closest context name for a misspelled context', async () => {
    await writeCredentials(configDir, TWO);
    await assert.rejects(chooseConnection(GLOBALS, environment({ DAVIT_CONTEXT: 'wrok' })), /did you mean "work"/);
  });

  test('without a current context suggest davit context use', async () => {
    await writeCredentials(configDir, { ...TWO, current: null });
    await assert.rejects(
      chooseConnection(GLOBALS, environment()),
      /`davit context use <name>`\. Available contexts: home, work\./,
    );
  });

  test('select the remaining context after the current context is removed', async () => {
    await writeCredentials(configDir, TWO);
    await forgetContext(configDir, 'home');
    const { current, contexts } = await readCredentials(configDir);
    assert.deepEqual([current, Object.keys(contexts)], ['work', ['work']]);
  });
});

test('normalUrl normalizes common spellings of an instance address', () => {
  const written = {
    'https://davit.example.com/': 'https://davit.example.com',
    'https://davit.example.com/api/': 'https://davit.example.com',
    'davit.example.com': 'https://davit.example.com',
    '127.0.0.1:3000': 'http://127.0.0.1:3000',
    'localhost:3000': 'http://localhost:3000',
    '[::1]:3000': 'http://[::1]:3000',
    'http://davit.localhost:3000/api': 'http://davit.localhost:3000',
  };
  for (const [given, url] of Object.entries(written)) assert.equal(normalUrl(given), url);
  for (const given of ['', ' ', 'ftp://x', 'https://x.example?y=1', 'a b']) {
    assert.throws(() => normalUrl(given), /is not the address of an instance/, given);
  }
  assert.throws(
    () => normalUrl('https://davit.example.com/docs'),
    /has no path. Write https:\/\/davit\.example\.com\./,
  );
});
