/** Every command against a whole daemon on a simulated engine: what it asks, what it prints, how it ends. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ABSENT_ROUTES, allOperations } from '@davit/api';
import { COMMANDS } from '../src/commands/index.ts';
import { type Ran, type Setup, withDavit } from './support/davit.ts';
import { INVOCATIONS, type Invocation } from './support/invocations.ts';

const ROUTES = [...ABSENT_ROUTES, ...allOperations.map(({ method, path }) => `${method} /api${path}`)].map(
  (route) => new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
);

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
        for (const request of requests)
          assert.ok(
            ROUTES.some((route) => route.test(request)),
            `${request} is not in the contract`,
          );
      }
      assert.doesNotMatch(plain.stdout + plain.stderr + json.stdout + json.stderr, new RegExp(on.daemon.key));
      assert.ok(!(plain.stdout + plain.stderr).includes('\u001b'), 'no escape sequence without a terminal');
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

/** Events are a line of JSON each; everything else is one document. */
function documents(name: string, stdout: string): string[] {
  return name === 'events' ? stdout.trimEnd().split('\n') : [stdout];
}

async function run(
  fixture: Setup,
  name: string,
  invocation: Invocation,
  more: string[],
): Promise<Ran & { requests: string[] }> {
  const words = await invocation.words(fixture);
  const dashes = words.indexOf('--');
  const args = dashes < 0 ? [...words, ...more] : [...words.slice(0, dashes), ...more, ...words.slice(dashes)];
  const requests: string[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    requests.push(`${init?.method} ${new URL(String(input)).pathname}`);
    return globalThis.fetch(input, init);
  };
  const ran = await fixture.davit.run([...name.split(' '), ...args], {
    fetch,
    ...(invocation.input && { input: invocation.input(fixture) }),
    ...(invocation.usesContexts && { env: { DAVIT_URL: '', DAVIT_API_KEY: '' } }),
  });
  return { ...ran, requests };
}
