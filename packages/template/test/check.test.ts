import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { checkTemplate } from '../src/check.ts';
import { CODES } from '../src/codes.ts';

const FILE = `version: 1
project: shop
inputs:
  - key: domain
    type: domain
    label: Where the shop answers
apps:
  - key: web
    image: ghcr.io/acme/shop
    tag: "1.4.0"
    health: /healthz
    domains:
      - host: \${input.domain}
    limits: {}
`;

describe('checking a file', () => {
  test('gives its manifest and nothing to say', () => {
    const { manifest, diagnostics } = checkTemplate(FILE);
    assert.deepEqual(diagnostics, []);
    assert.equal(manifest?.apps[0]?.internal_host, 'web.production.shop.internal');
  });

  test('keeps the manifest of a file of which something is advised, with the place', () => {
    const { manifest, diagnostics } = checkTemplate(FILE.replace('"1.4.0"', 'latest'));
    assert.ok(manifest);
    assert.deepEqual(
      diagnostics.map(({ code, line, column }) => [code, line, column]),
      [['advice.latest-tag', 10, 5]],
    );
  });

  test('refuses a file of which the meaning is wrong, and advises all the same', () => {
    const { manifest, diagnostics } = checkTemplate(FILE.replace('/healthz', 'healthz').replace('"1.4.0"', 'latest'));
    assert.equal(manifest, null);
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['health.path', 'advice.latest-tag'],
    );
  });

  test('says nothing of meaning while the shape is wrong', () => {
    const { manifest, diagnostics } = checkTemplate(`${FILE}    port: 0\n    tcp: [{ port: 1, host: x }]\n`);
    assert.equal(manifest, null);
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['schema.too_small'],
    );
  });

  test('says where something is that is missing: at what it is missing in', () => {
    const { diagnostics } = checkTemplate(FILE.replace('    image: ghcr.io/acme/shop\n    tag: "1.4.0"\n', ''));
    assert.deepEqual(
      diagnostics.map(({ code, line, column }) => [code, line, column]),
      [['source.missing', 8, 5]],
    );
  });
});

/** Files whose shape is mostly right and whose meaning is anything. */
function files(): fc.Arbitrary<object> {
  const key = fc.constantFrom('a', 'b', 'web', 'db', 'appDb', 'settings', '__proto__', 'constructor');
  const words = [
    '${input.a}',
    '${db.db.host}',
    '${app.web.internal}',
    '${inputs.a}',
    '${store.a.bucket}',
    '/data',
    '1Gi',
  ];
  const text = fc.oneof(
    fc.constantFrom(...words, '0.7.2', '*', 'x', '2222', 'a@b:c'),
    fc.string({ minLength: 1, maxLength: 8 }),
  );
  const some = (shape: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[] = []) =>
    fc.record(shape, { requiredKeys });
  const when = some({ input: key, equals: text, not: text }, ['input']);
  const list = (of: fc.Arbitrary<unknown>) => fc.array(of, { maxLength: 3 });
  const env = fc.dictionary(fc.constantFrom('A', 'b', '_x', '__proto__', 'DATABASE_URL'), text, { maxKeys: 3 });
  const limits = some({ cpu: fc.constantFrom(0, 0.5, 2), memory: text });
  const port = fc.constantFrom(1, 22, 8080, 65_535);
  const input = some(
    {
      ...{
        key,
        type: fc.constantFrom('domain', 'text', 'number', 'choice', 'secret', 'store'),
        label: text,
        help: text,
      },
      ...{ required: fc.boolean(), default: text, pattern: text, generate: fc.nat(20), options: list(text) },
    },
    ['key', 'type', 'label'],
  );
  const database = some(
    {
      key,
      name: key,
      engine: fc.constantFrom('postgres', 'redis', 'oracle'),
      version: text,
      extensions: list(text),
      expose: fc.nat(70_000),
      limits,
      when,
    },
    ['key', 'engine'],
  );
  const app = some(
    {
      ...{
        key,
        name: key,
        image: text,
        tag: fc.constant('1'),
        repo: text,
        build: fc.constant('railpack'),
        port,
        health: text,
      },
      ...{
        domains: list(some({ host: text, port, when }, ['host'])),
        attach: list(some({ database: key, store: key, bucket: text, prefix: text, when })),
      },
      ...{ env, envWhen: list(some({ when, env }, ['when', 'env'])), limits, scale: port, spread: fc.boolean() },
      ...{ autoscale: some({ min: fc.nat(3), max: fc.nat(3), cpu: fc.nat(3) }, ['max', 'cpu']) },
      ...{
        volumes: list(some({ path: text, size: text, when }, ['path'])),
        tcp: list(some({ port, host: text, when }, ['port'])),
      },
      ...{
        command: list(text),
        args: list(text),
        files: list(some({ path: text, content: text }, ['path', 'content'])),
        depends_on: list(key),
        when,
      },
    },
    ['key'],
  );
  const job = some(
    { key, app: key, command: fc.array(text, { minLength: 1, maxLength: 2 }), depends_on: list(key), when },
    ['key', 'app', 'command'],
  );
  return some(
    {
      ...{
        version: fc.constant(1),
        minCubeship: text,
        minVersion: fc.constantFrom('0.1.0', '*', 'x'),
        project: fc.constantFrom('shop', 'settings'),
      },
      ...{
        inputs: list(input),
        databases: list(database),
        stores: list(some({ key, buckets: list(text), limits, when }, ['key'])),
      },
      ...{ apps: fc.array(app, { minLength: 1, maxLength: 3 }), jobs: list(job) },
    },
    ['version', 'project', 'apps'],
  );
}

describe('whatever the file', () => {
  const check = (file: object) => checkTemplate(stringify(file, { aliasDuplicateObjects: false }));

  test('checking does not throw, refuses exactly what has an error, and gives codes that are known', () => {
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(files(), (file) => {
        const { manifest, diagnostics } = check(file);
        assert.equal(
          manifest === null,
          diagnostics.some(({ severity }) => severity === 'error'),
        );
        for (const { code, severity } of diagnostics) {
          assert.ok(Object.hasOwn(CODES, code), code);
          assert.ok(CODES[code as keyof typeof CODES].severities.includes(severity), `${code} ${severity}`);
        }
        seen[manifest === null ? 'refused' : 'accepted'] += 1;
      }),
      { seed: 7, numRuns: 400 },
    );
    console.error(seen);
    assert.ok(seen.refused > 0);
  });

  test('a manifest survives being written as JSON', () => {
    fc.assert(
      fc.property(files(), (file) => {
        const { manifest } = check(file);
        assert.deepEqual(JSON.parse(JSON.stringify(manifest)), manifest);
      }),
      { seed: 11, numRuns: 200 },
    );
  });
});
