/** Sends texts with a meaning for other programs in every field and parameter that accepts text. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { allOperations } from '@davit/api';
import { type Answer, deployedApp, type TestDaemon } from '@davit/testkit';
import { IS_LONG, partOf } from '../../../../test/support/tiers.ts';
import { type Callable, eachOf, type Json, positionsOf, sampleOf } from '../support/contract-walk.ts';
import { AT_ONCE, corpusSetup, type Setup } from '../support/corpus-setup.ts';
import { INJECTIONS, PROOF } from '../support/injections.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: responses must not contain these characters
const UNSPEAKABLE = /[\u0000-\u001f\u007f-\u009f\u202e\u2066]/;

describe('injection texts', () => {
  let here: Setup;
  before(async () => {
    here = await corpusSetup();
  });
  after(() => here[Symbol.asyncDispose]());

  it('are treated as plain text in every field of every operation', async (t) => {
    assert.ok(INJECTIONS.length >= 200);
    const { app: bystander } = await deployedApp(here.daemon);
    const look = () => lookAt(here.daemon, bystander.reference);
    const before = await look();
    const tally = { taken: 0, refused: 0 };

    const one = async ({ call, body, text, name }: FieldCase) => {
      const answer = await here.post(call.operation.method, call.path, JSON.stringify(body));
      judge(answer, text, `${call.operation.id} ${name}`);
      tally[answer.status < 400 ? 'taken' : 'refused'] += 1;
    };
    const isOfSettings = ({ operation }: Callable) => operation.path === '/settings';
    const others = here.calls.filter((call) => !isOfSettings(call));
    await eachOf(fieldCases(others), AT_ONCE, one);
    /*
     * The settings come last. A text may become the address of the catalog, which the daemon requests, or the domain of
     * the instance, which every app shows.
     */
    const { domain, public_address, catalog } = await here.daemon.client.getSettings();
    await eachOf(fieldCases(here.calls.filter(isOfSettings)), AT_ONCE, one);
    await here.daemon.client.patchSettings({ body: { domain, public_address, catalog } });
    await here.daemon.settled();

    t.diagnostic(`${tally.taken} were taken, ${tally.refused} refused`);
    assert.equal(await look(), before);
    for (const file of readdirSync(here.daemon.dataDir)) assert.match(file, /^[a-z]+([.-][a-z]+)*$/);
    assert.equal(existsSync(PROOF), false);
  });

  it('are treated as plain text in every path and query parameter', async () => {
    await eachOf(pathCases(), AT_ONCE, async ({ method, path, text }) => {
      judge(await here.ask({ method, path }), text, `${method} ${path.slice(0, 200)}`);
    });
    assert.equal(existsSync(PROOF), false);
  });
});

/** Pattern for fields with an address that the daemon requests: of an object store, a repository, or the catalog. */
const REMOTE_FIELDS = /^(linkObjectStore|patchObjectStore) (endpoint|region|account|public_endpoint)|repository/;

function judge({ status, text: said, headers }: Answer, text: string, where: string): void {
  // A text may be the address of a server that does not respond.
  const isOfOthers = (status === 502 || status === 503) && REMOTE_FIELDS.test(where);
  assert.ok(status < 500 || isOfOthers, `${where} “${text.slice(0, 60)}”: ${status} ${said}`);
  assert.equal(headers.get('set-cookie'), null, where);
  if (status < 400) return;
  assert.doesNotMatch(said.slice(0, -1), UNSPEAKABLE, `${where}: ${JSON.stringify(said)}`);
  assert.ok(said.length < 400, `${where}: an answer of ${said.length} characters`);
  if (text.length > 100) assert.ok(!said.includes(text.slice(0, 101)), `${where}: says back what it was sent`);
}

/** Returns all public data of another app. */
async function lookAt(daemon: TestDaemon, reference: string): Promise<string> {
  const paths = ['', '/env', '/domains', '/deployments'].map((part) => `/api/apps/${reference}${part}`);
  const answers = await Promise.all(paths.map((path) => daemon.call('GET', path)));
  // The time of the last engine check changes automatically.
  return answers.map(({ text }) => text.replace(/"observed_at":"[^"]*"/, '')).join('\n');
}

/** Sample of the texts, for a field that accepts no text at all. */
const FEW = INJECTIONS.filter((_, i) => i % 25 === 0);

/**
 * Number of parts into which the texts are divided. Consecutive positions use different parts, because the same code
 * parses them.
 */
const PARTS = IS_LONG ? 3 : 36;
const someAt = (turn: number) => INJECTIONS.filter((_, n) => n % PARTS === turn % PARTS);

/** Number of parts for a field that no earlier operation has. */
const FIRST_PARTS = 8;

interface FieldCase {
  call: Callable;
  body: unknown;
  text: string;
  /** Name of the field. */
  name: string;
}

/**
 * Yields test cases for fields. In the first operation with a field, the field gets all texts. In the quick tier the
 * field gets a part, which differs from field to field. In other operations with the field, it gets a part.
 */
function* fieldCases(calls: Callable[]): Generator<FieldCase> {
  const turns = new Map<unknown, number>();
  for (const call of calls) {
    const { body: schema, id } = call.operation;
    if (!schema) continue;
    const base = sampleOf(schema, id) as Json;
    for (const position of positionsOf(schema)) {
      const turn = turns.get(position.rule) ?? 0;
      turns.set(position.rule, turn + 1);
      const texts = turn === 0 ? partOf(INJECTIONS, turns.size, FIRST_PARTS) : someAt(turn);
      for (const text of position.takesText ? texts : FEW) {
        yield { call, body: position.put(base, text), text, name: position.name };
      }
    }
  }
}

/** Yields test cases for paths and queries. No resource has such a name, so nothing is removed. */
function* pathCases() {
  for (const [turn, { method, path, query, responses }] of allOperations.entries()) {
    // A stream that starts would not end.
    const fields = Object.values(responses).some(({ events }) => events) ? [] : Object.keys(query?.shape ?? {});
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    // The same code parses the paths and queries of all operations.
    for (const [i, text] of someAt(turn).entries()) {
      const encoded = encodeURIComponent(text);
      const name = names[i % (names.length || 1)];
      const fill = (_: string, one: string) => (one === name ? encoded : 'none');
      if (name !== undefined) yield { method, path: `/api${path.replaceAll(/\{(\w+)\}/g, fill)}`, text };
      const field = fields[i % (fields.length || 1)];
      if (field === undefined || method !== 'GET') continue;
      yield { method, path: `/api${path.replaceAll(/\{\w+\}/g, 'none')}?${field}=${encoded}`, text };
    }
  }
}
