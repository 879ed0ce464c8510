/**
 * Runs every command against a complete daemon with a simulated engine. Checks the requests, the output and the exit
 * code.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ABSENT_ROUTES, allOperations, operations } from '@davit/api';
import { allCommands } from '../src/commands/all.ts';
import { COMMANDS } from '../src/commands/index.ts';
import { type Ran, type Setup, withDavit } from './support/davit.ts';
import { INVOCATIONS, type Invocation } from './support/invocations.ts';

const patternOf = (route: string) => new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
const routeOf = ({ method, path }: { method: string; path: string }) => `${method} /api${path}`;

const ROUTES = [...ABSENT_ROUTES, ...allOperations.map(routeOf)].map(patternOf);

/**
 * Operations that start work which continues after the response. `stopApp` has no status 202. `runInApp` starts such
 * work only with the option `--detach`.
 */
const STARTS = [
  ...allOperations.filter(({ id, responses }) => 202 in responses && id !== 'runInApp'),
  operations.stopApp,
]
  .map(routeOf)
  .map(patternOf);

/** Commands that have the option `--no-wait`. The file outcomes.test.ts checks that they exit with the outcome. */
const followed = (await allCommands()).filter(({ options }) => 'noWait' in options).map(({ path }) => path.join(' '));

/** Matches a time in the format of API responses, for example `2026-01-31T14:05:59.123Z`. */
const API_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/;

test('every command has a test invocation, and every invocation has a command', () => {
  assert.deepEqual(
    Object.keys(INVOCATIONS).sort(),
    Object.keys(COMMANDS).sort(),
    'add a row to test/support/invocations.ts',
  );
});

describe('every command', () => {
  const on = withDavit();

  for (const [name, invocation] of Object.entries(INVOCATIONS)) {
    test(`${name}: sends documented requests, prints JSON with --json and hides the API key`, async () => {
      const plain = await run(on, name, invocation, []);
      const json = await run(on, name, invocation, ['--json']);

      for (const { requests } of [plain, json]) {
        for (const { route: request } of requests)
          assert.ok(
            ROUTES.some((route) => route.test(request)),
            `${request} is not in the contract`,
          );
      }
      const started = [plain, json].flatMap(({ requests }) => requests.filter(startsWork).map(({ route }) => route));
      if (started.length > 0)
        assert.ok(followed.includes(name), `${started.join(', ')} starts work: follow it unless --no-wait is set`);
      assert.doesNotMatch(plain.stdout + plain.stderr + json.stdout + json.stderr, new RegExp(on.daemon.key));
      assert.ok(!(plain.stdout + plain.stderr).includes('\u001b'), 'no escape sequence without a terminal');
      assert.doesNotMatch(plain.stdout + plain.stderr, API_TIME, 'times for people are formatted with `minute`');
      assert.deepEqual(
        [plain.code, json.code],
        [invocation.exit ?? 0, invocation.exit ?? 0],
        plain.stderr + json.stderr,
      );
      if (json.code === 0) for (const text of documents(name, json.stdout)) JSON.parse(text);
      else assert.equal(typeof JSON.parse(json.stderr).error.message, 'string');
    });
  }
});

/**
 * Returns the JSON documents in the output. `events` prints one document in each line, every other command prints only
 * one.
 */
function documents(name: string, stdout: string): string[] {
  return name === 'events' ? stdout.trimEnd().split('\n') : [stdout];
}

interface Sent {
  /** Method and path of the request. */
  route: string;
  isDryRun: boolean;
}

function startsWork({ route, isDryRun }: Sent): boolean {
  return !isDryRun && STARTS.some((pattern) => pattern.test(route));
}

async function run(
  fixture: Setup,
  name: string,
  invocation: Invocation,
  more: string[],
): Promise<Ran & { requests: Sent[] }> {
  const words = await invocation.words(fixture);
  const dashes = words.indexOf('--');
  const args = dashes < 0 ? [...words, ...more] : [...words.slice(0, dashes), ...more, ...words.slice(dashes)];
  const requests: Sent[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { pathname, searchParams } = new URL(String(input));
    requests.push({ route: `${init?.method} ${pathname}`, isDryRun: searchParams.get('dry_run') === 'true' });
    return globalThis.fetch(input, init);
  };
  const ran = await fixture.davit.run([...name.split(' '), ...args], {
    fetch,
    ...(invocation.input && { input: invocation.input(fixture) }),
    ...(invocation.usesContexts && { env: { DAVIT_URL: '', DAVIT_API_KEY: '' } }),
  });
  return { ...ran, requests };
}
