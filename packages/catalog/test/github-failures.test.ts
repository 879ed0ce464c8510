/**
 * Tests failures of GitHub. The source retries a request or the pass fails. Failures must not cause wrong data or
 * bursts of requests.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Misbehaviour } from '@davit/testkit/github';
import { inLong } from '../../../test/support/tiers.ts';
import { SourceUnavailable } from '../src/source/source.ts';
import { publishOne, SECOND_MS, startSource, type TestSource } from './support/github-source.ts';

/** Returns the times between consecutive requests, in the shortened seconds of the test. */
function gaps({ github }: TestSource): number[] {
  const times = github.requests.map(({ at }) => at);
  return times.slice(1).map((at, index) => (at - (times[index] ?? 0)) / SECOND_MS);
}

/**
 * Returns the request timeout in milliseconds. The timeout is short only if the response never arrives or never ends.
 */
function patience({ kind }: Misbehaviour): number {
  return kind === 'silence' || kind === 'slow-body' ? 1_000 : 30_000;
}

const PASSING: Misbehaviour[] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 502 },
  { kind: 'status', status: 503 },
  { kind: 'hang-up' },
  { kind: 'half-body' },
  { kind: 'secondary-limit', retryAfterS: 2 },
  { kind: 'secondary-limit', retryAfterS: 2, status: 429 },
  { kind: 'too-many', retryAfterS: 2 },
  { kind: 'rate-limit', resetInS: 1 },
  { kind: 'slow-body' },
  { kind: 'silence' },
];

describe('temporary GitHub failures', () => {
  for (const behaviour of PASSING) {
    it(`are retried in a listing: ${JSON.stringify(behaviour)}`, async () => {
      await using test = await startSource({ topics: ['a'], timeoutMs: patience(behaviour) });
      test.github.world.add({ topics: ['a'] });
      test.github.misbehave(behaviour);

      assert.equal((await test.list()).length, 1);
      assert.equal(test.github.requests.length, 2);
      assert.equal(test.github.mostAtOnce, 1);
    });
  }

  for (const behaviour of PASSING.filter(({ kind }) => kind !== 'silence')) {
    it(`are retried in a file read: ${JSON.stringify(behaviour)}`, async () => {
      await using test = await startSource({ timeoutMs: patience(behaviour) });
      const { known, commit } = publishOne(test);
      test.github.misbehave(behaviour);

      const answer = await test.source.readFile(known, commit, 'template.yaml', 100, test.signal);
      assert.equal(answer.kind, 'found');
      assert.equal(test.github.requests.length, 2);
    });
  }
});

describe('permanent GitHub failures during a listing', () => {
  const lasting: [Misbehaviour, number][] = [
    [{ kind: 'status', status: 500 }, 3],
    [{ kind: 'hang-up' }, 3],
    [{ kind: 'half-body' }, 3],
    [{ kind: 'slow-body' }, 3],
    [{ kind: 'bad-credentials' }, 1],
    [{ kind: 'status', status: 403 }, 1],
    [{ kind: 'status', status: 404 }, 1],
    [{ kind: 'status', status: 451 }, 1],
    [{ kind: 'malformed' }, 1],
    [{ kind: 'huge', bytes: 40 * 1024 * 1024 }, 1],
    [{ kind: 'graphql-errors', errors: [{ message: 'no' }] }, 1],
    [{ kind: 'graphql-errors', errors: [{ type: 'RATE_LIMIT', message: 'API rate limit already exceeded.' }] }, 1],
    [{ kind: 'graphql-errors', errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded.' }] }, 1],
    [{ kind: 'graphql-errors', errors: [{ message: 'You have exceeded a secondary rate limit.' }] }, 1],
    [{ kind: 'graphql-errors', errors: [{ message: 'Something went wrong while executing your query.' }] }, 3],
    [{ kind: 'changed', change: () => null }, 1],
    [{ kind: 'changed', change: () => [] }, 1],
    [{ kind: 'changed', change: () => ({ data: {} }) }, 1],
    [{ kind: 'changed', change: () => ({ data: { search: { nodes: {} } } }) }, 1],
    [{ kind: 'changed', change: () => ({ data: null, errors: 'many' }) }, 1],
    [{ kind: 'secondary-limit', retryAfterS: 2 }, 2],
    [{ kind: 'secondary-limit', retryAfterS: 100 }, 1],
    [{ kind: 'too-many', retryAfterS: 100 }, 1],
    [{ kind: 'rate-limit', resetInS: 1_000 }, 1],
  ];
  for (const [behaviour, requests] of lasting) {
    const name = behaviour.kind === 'changed' ? `changed, ${behaviour.change}` : JSON.stringify(behaviour);
    it(name, async () => {
      await using test = await startSource({ topics: ['a'], timeoutMs: behaviour.kind === 'slow-body' ? 150 : 10_000 });
      test.github.world.add({ topics: ['a'] });
      test.github.misbehave(behaviour, { times: 100 });

      await assert.rejects(test.list(), (error: Error) => {
        assert.ok(error instanceof SourceUnavailable, String(error));
        assert.match(error.message, /^Repository search: .*GitHub/);
        return true;
      });
      assert.equal(test.github.requests.length, requests);
    });
  }

  it('a listing requests smaller pages after repeated 502 responses', async () => {
    await using test = await startSource({ topics: ['a'] });
    for (let n = 0; n < 60; n += 1) test.github.world.add({ topics: ['a'] });
    test.github.misbehave({ kind: 'status', status: 502 }, { times: 6 });

    assert.equal((await test.list()).length, 60);
    assert.equal(test.github.requests.at(-1)?.variables.first, 13);
  });
});

describe('the end of a GitHub listing', () => {
  type Document = { data: { search: { repositoryCount: number; pageInfo: object } } & Record<string, object> };

  it('a listing stops with an error if GitHub reports impossible counts', inLong, async () => {
    await using test = await startSource({ topics: ['a'] });
    const change = ({ data }: Document) => {
      const counts = Object.fromEntries(
        Object.keys(data).map((key) => [key, { ...data[key], repositoryCount: 5_000 }]),
      );
      return { data: counts };
    };
    test.github.misbehave({ kind: 'changed', change }, { times: 10_000 });

    await assert.rejects(test.list(), /impossible numbers of search results/);
    assert.ok(test.github.requests.length <= 401);
  });

  it('a listing stops although GitHub always reports another page', async () => {
    await using test = await startSource({ topics: ['a'] });
    test.github.world.add({ topics: ['a'] });
    let page = 0;
    const change = ({ data }: Document) => {
      page += 1;
      data.search.pageInfo = { hasNextPage: true, endCursor: `${page}` };
      return { data };
    };
    test.github.misbehave({ kind: 'changed', change }, { times: 10_000 });

    assert.equal((await test.list()).length, 1);
  });
});

describe('pauses of requests to GitHub', () => {
  it('last as long as the response of GitHub demands', async () => {
    for (const behaviour of [
      { kind: 'secondary-limit', retryAfterS: 5 },
      { kind: 'too-many', retryAfterS: 5 },
      { kind: 'status', status: 503, headers: { 'retry-after': '5' } },
      { kind: 'rate-limit', resetInS: 5 },
    ] satisfies Misbehaviour[]) {
      await using test = await startSource({ topics: ['a'] });
      test.github.misbehave(behaviour);
      await test.list();

      const [gap = 0] = gaps(test);
      // A timer may fire early by less than a millisecond.
      assert.ok(gap >= 4.9, `${behaviour.kind}: ${gap} s`);
    }
  });

  it('also apply to later passes, lookups and file reads', async () => {
    await using test = await startSource({ topics: ['a'] });
    const { known, commit } = publishOne(test);
    test.github.misbehave({ kind: 'secondary-limit', retryAfterS: 3_000 });

    for (let pass = 0; pass < 3; pass += 1) await assert.rejects(test.list(), SourceUnavailable);
    await assert.rejects(test.lookUp([known]), /accepts no requests until \d{4}-/);
    await assert.rejects(test.source.readFile(known, commit, 'icon.png', 1, test.signal), SourceUnavailable);
    assert.equal(test.github.requests.length, 1);
  });

  it('last a minute after a rate limit error without a time', async () => {
    for (const type of ['RATE_LIMIT', undefined]) {
      await using test = await startSource({ topics: ['a'] });
      const message = 'You have exceeded a secondary rate limit.';
      test.github.misbehave({ kind: 'graphql-errors', errors: [{ message, ...(type && { type }) }] });
      await assert.rejects(test.list(), SourceUnavailable);
      await test.list();

      const [gap = 0] = gaps(test);
      assert.ok(gap >= 59, `${type}: ${gap} s`);
    }
  });

  it('affect only GraphQL queries if only their budget is spent', async () => {
    await using test = await startSource({ topics: ['a'] });
    const { known, commit } = publishOne(test);
    test.github.misbehave({ kind: 'rate-limit', resetInS: 3_000 });
    await assert.rejects(test.list(), SourceUnavailable);

    const answer = await test.source.readFile(known, commit, 'template.yaml', 100, test.signal);
    assert.equal(answer.kind, 'found');
  });

  it('start after five consecutive failures and end with the next pass', inLong, async () => {
    await using test = await startSource({ topics: ['a'] });
    const { known, commit } = publishOne(test);
    test.github.misbehave({ kind: 'hang-up' }, { times: 15 });
    const reads = Array.from({ length: 100 }, () =>
      test.source.readFile(known, commit, 'template.yaml', 100, test.signal).catch((error: unknown) => error),
    );

    for (const answer of await Promise.all(reads)) assert.ok(answer instanceof SourceUnavailable);
    assert.equal(test.github.requests.length, 15);
    assert.equal(test.github.mostAtOnce, 1);
    await test.list();
    const answer = await test.source.readFile(known, commit, 'template.yaml', 100, test.signal);
    assert.equal(answer.kind, 'found');
  });
});

describe('a stopped pass', () => {
  it('ends immediately while GitHub is silent or requests are paused', async () => {
    for (const behaviour of [
      { kind: 'silence' },
      { kind: 'slow-body' },
      { kind: 'secondary-limit', retryAfterS: 50 },
    ] satisfies Misbehaviour[]) {
      await using test = await startSource({ topics: ['a'], secondMs: 60_000 });
      const stopped = new AbortController();
      test.github.misbehave(behaviour, { times: 9 });
      const listing = Array.fromAsync(test.source.repositories(stopped.signal));
      while (test.github.requests.length === 0) await new Promise(setImmediate);
      stopped.abort(new Error('stopped'));

      await assert.rejects(listing, /stopped/);
      assert.equal(test.github.requests.length, 1);
    }
  });

  it('sends no request if the signal was aborted before the start', async () => {
    await using test = await startSource();
    await assert.rejects(Array.fromAsync(test.source.repositories(AbortSignal.abort(new Error('stopped')))), /stopped/);
    assert.equal(test.github.requests.length, 0);
  });
});
