/** Tests that the GitHub token is sent only to GitHub and occurs in no error message and no log line. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Misbehaviour } from '@davit/testkit/github';
import { SourceUnavailable } from '../src/source/source.ts';
import { publishOne, startSource } from './support/github-source.ts';

describe('the GitHub token', () => {
  it('appears in no error and no log line for any response', async () => {
    const token = 'github_pat_secret_0123456789';
    const echo = { message: `bad token ${token}\u001b[2J` };
    for (const behaviour of [
      { kind: 'bad-credentials' },
      { kind: 'hang-up' },
      { kind: 'malformed' },
      { kind: 'graphql-errors', errors: [echo] },
      { kind: 'graphql-errors', errors: [{ type: 'FORBIDDEN', path: ['search', 'nodes', 0], ...echo }] },
      { kind: 'changed', change: () => ({ data: { search: null }, errors: [echo] }) },
      { kind: 'redirect', to: `https://evil.example/${token}` },
    ] satisfies Misbehaviour[]) {
      await using test = await startSource({ token, topics: ['a'] }, { token });
      test.github.misbehave(behaviour, { times: 5 });
      const error = await test.list().then(
        () => null,
        (reason: Error) => reason,
      );
      const output = [...test.lines, String(error), error?.stack, JSON.stringify(causes(error))].join('\n');
      assert.doesNotMatch(output, /0123456789/, behaviour.kind);
      assert.ok(!error?.message.includes('\u001b'));
    }
  });

  it('appears in no error if the request cannot be sent', async () => {
    await using test = await startSource({ token: 'secret\n0123456789' });
    await assert.rejects(test.list(), (error: Error) => {
      assert.doesNotMatch([...test.lines, error.stack, JSON.stringify(causes(error))].join(), /secret|0123456789/);
      return error instanceof SourceUnavailable;
    });
  });

  it('is sent only to the GitHub API host', async () => {
    const seen: [string, string | null][] = [];
    const fetch: typeof globalThis.fetch = (url, init) => {
      seen.push([new URL(String(url)).host, new Headers(init?.headers).get('authorization')]);
      const location = 'https://raw.githubusercontent.com/acme/wiki/x/template.yaml';
      if (seen.length === 1) return Promise.resolve(new Response(null, { status: 302, headers: { location } }));
      return Promise.resolve(new Response('x', { headers: { 'content-type': 'text/plain' } }));
    };
    await using test = await startSource({ baseUrl: 'https://api.github.com', fetch });
    const { known, commit } = publishOne(test);
    await test.source.readFile(known, commit, 'template.yaml', 100, test.signal);

    assert.deepEqual(seen, [
      ['api.github.com', `token ${test.github.token}`],
      ['raw.githubusercontent.com', null],
    ]);
  });

  it('is required, and the error names the setting', async () => {
    await using test = await startSource({ token: null });
    await assert.rejects(test.list(), /DAVIT_CATALOG_GITHUB_TOKEN/);
    assert.equal(test.github.requests.length, 0);
  });

  it('causes an error with the name of the setting if refused', async () => {
    await using test = await startSource({ token: 'another' });
    await assert.rejects(test.list(), /refused the token \(401\)\. Set DAVIT_CATALOG_GITHUB_TOKEN/);
  });
});

it('GitHub Enterprise Server is requested under its own API paths', async () => {
  await using test = await startSource({ topics: ['davit-template'] }, { basePath: '/api/v3' });
  const { known, commit } = publishOne(test);

  assert.equal((await test.list()).length, 1);
  const answer = await test.source.readFile(known, commit, 'template.yaml', 100, test.signal);
  assert.equal(answer.kind, 'found');
  assert.deepEqual(
    test.github.requests.map(({ path }) => path.split('?')[0]),
    ['/api/graphql', '/api/v3/repos/acme/wiki/contents/template.yaml'],
  );
});

function causes(error: unknown): unknown[] {
  return error instanceof Error ? [{ ...error, message: error.message }, ...causes(error.cause)] : [];
}
