import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APPS, app, appOf, draftOf, HEAD, hintOf, problemCodes } from '../../test/support/problem-codes.ts';
import { readTemplate } from '../read.ts';

test('reads a minimal template without adding defaults', () => {
  assert.deepEqual(draftOf(HEAD + APPS), { version: 1, project: 'shop', apps: [{ key: 'web', image: 'a' }] });
});

test('reports a wrong type for a list as root', () => {
  assert.deepEqual(problemCodes('- a\n'), ['invalid_type ']);
  assert.deepEqual(readTemplate('\n- a\n').problems[0]?.line, 2);
});

test('reports a missing key at the position of its mapping', () => {
  assert.deepEqual(problemCodes('project: shop\n'), ['invalid_type version', 'invalid_type apps']);
  const { problems } = readTemplate(`${HEAD}${APPS}databases:\n  - key: db\n`);
  assert.deepEqual(
    problems.map(({ path, line, column }) => ({ path, line, column })),
    [{ path: ['databases', 0, 'engine'], line: 5, column: 5 }],
  );
  assert.equal(problems[0]?.hint, 'Add the key, for example `engine: "postgres"`.');
});

test('reports null values of optional keys as a wrong type', () => {
  for (const key of ['inputs', 'databases', 'stores', 'environment', 'minCubeship', 'name', 'jobs']) {
    assert.deepEqual(problemCodes(`${HEAD}${APPS}${key}:\n`), [`invalid_type ${key}`]);
  }
  assert.deepEqual(problemCodes(app('env:', 'limits: ~', 'port: null')).sort(), [
    'invalid_type apps.0.env',
    'invalid_type apps.0.limits',
    'invalid_type apps.0.port',
  ]);
});

test('keeps values of variables as written', () => {
  const env = ['A: 3000', 'B: 1.50', 'C: 0x10', 'D: True', 'E: ""', 'F: 2024-01-01', 'G: "x # y"', '__proto__: z'];
  assert.deepEqual(Object.entries(appOf('env:', ...env.map((line) => `  ${line}`))?.env ?? {}), [
    ...[
      ['A', '3000'],
      ['B', '1.50'],
      ['C', '0x10'],
      ['D', 'True'],
      ['E', ''],
      ['F', '2024-01-01'],
      ['G', 'x # y'],
    ],
    ['__proto__', 'z'],
  ]);
  assert.deepEqual(
    problemCodes(app('env:', '  A:', '  B: [1]', '  C: {}')),
    ['A', 'B', 'C'].map((name) => `invalid_type apps.0.env.${name}`),
  );
});

test('refuses invalid names of variables', () => {
  assert.deepEqual(problemCodes(app('env: {database__client: a, url: b, _: c, A1: d}')), []);
  assert.deepEqual(
    problemCodes(app('env: {1A: a, 2A: ~, "A-B": b, "": c, é: d, <<: e}')),
    ['1A', '2A', 'A-B', '', 'é', '<<'].map((name) => `invalid_format apps.0.env.${name}`),
  );
});

test('refuses lists with fewer items than required', () => {
  assert.deepEqual(problemCodes(`${HEAD}apps: []\n`), ['too_small apps']);
  assert.deepEqual(problemCodes(`${HEAD}${APPS}inputs: [{key: a, type: choice, label: A, options: [x]}]`), [
    'too_small inputs.0.options',
  ]);
  assert.deepEqual(problemCodes(`${HEAD}${APPS}inputs: []\ndatabases: []\n`), []);
});

test('reports an unknown input type once and skips other checks', () => {
  const inputs = (...lines: string[]) =>
    problemCodes(`${HEAD}${APPS}inputs:\n${lines.map((line) => `  - ${line}\n`).join('')}`);
  assert.deepEqual(inputs('{key: 1, type: url, nonsense: true}'), ['invalid_union inputs.0.type']);
  assert.deepEqual(inputs('{key: a}', '{type: 3}', '{type: ~}', '{type: text}'), [
    ...['invalid_union inputs.0.type', 'invalid_union inputs.1.type', 'invalid_union inputs.2.type'],
    ...['invalid_type inputs.3.key', 'invalid_type inputs.3.label'],
  ]);
  assert.deepEqual(inputs('text'), ['invalid_type inputs.0']);
});

test('reports an unknown key and suggests the nearest key', () => {
  assert.deepEqual(problemCodes(app('imgae: a')), ['unknown-key apps.0.imgae']);
  assert.equal(hintOf(app('imgae: a')), 'Did you mean `image`?');
  assert.equal(hintOf(`${HEAD}${APPS}mincubeship: a\n`), 'Did you mean `minCubeship`?');
  assert.deepEqual(problemCodes(`${HEAD}${APPS}toString: a\n__proto__: b\n"": c\n`), [
    'unknown-key toString',
    'unknown-key __proto__',
    'unknown-key ',
  ]);
  assert.equal(hintOf(`${HEAD}${APPS}zzz: a\n`), undefined);
});

test('reports the required input type for a misplaced key', () => {
  const text = `${HEAD}${APPS}inputs: [{key: a, type: domain, label: A, options: [x, y], generat: 3}]`;
  const { problems } = readTemplate(text);
  assert.deepEqual(
    problems.map(({ code, path, hint }) => [code, path.at(-1), hint]),
    [
      ['schema.unknown-key', 'options', 'Only inputs of type `choice` have `options`.'],
      ['schema.unknown-key', 'generat', 'Did you mean `generate`?'],
    ],
  );
});

test('reports unknown keys first, then other problems in format order', () => {
  const text = 'apps:\n  - image: 5\n    nonsense: 1\n    port: a\nversion: 2\nfoo: 1\n';
  assert.deepEqual(problemCodes(text), [
    ...['unknown-key foo', 'invalid_value version', 'invalid_type project'],
    ...['unknown-key apps.0.nonsense', 'invalid_type apps.0.key'],
    ...['invalid_type apps.0.image', 'invalid_type apps.0.port'],
  ]);
});

test('returns a draft despite a warning, but not with a shape error', () => {
  assert.equal(readTemplate(`${HEAD}${APPS}foo: 1\n`).draft, null);
  const read = readTemplate(`${HEAD}${APPS}---\nmore: 1\n`);
  assert.deepEqual([read.draft?.project, read.problems[0]?.code], ['shop', 'yaml.more-documents']);
});

test('lists 200 problems and counts the remaining problems', () => {
  const { problems } = readTemplate(`${HEAD}apps: [${'0,'.repeat(700)}]\n`);
  assert.equal(problems.length, 201);
  assert.match(problems.at(-1)?.message ?? '', /500 more/);
});

test('checks the shape of keys added to the format', () => {
  const lines = [
    'command: [node, server.js, ""]',
    'args: ["", a]',
    'files: [{path: /a, content: b, mode: "0644"}]',
    'envWhen: [{when: {input: a, equals: ""}, env: {A: 1}}]',
    'volumes: [{path: /data, size: 10Gi, when: {input: a}}]',
    'depends_on: [db]',
  ];
  const jobs = 'minVersion: ">=0.1.0"\njobs: [{key: j, app: web, command: [a], on: always, timeout: 3600}]\n';
  assert.deepEqual(problemCodes(app(...lines) + jobs), []);
  assert.deepEqual(problemCodes(app('command: ["", a]')), ['too_small apps.0.command.0']);
  assert.deepEqual(problemCodes(app('command: []', 'files: [{path: /a, mode: 0644}]', 'envWhen: [{env: {}}]')), [
    ...['too_small apps.0.command', 'invalid_type apps.0.envWhen.0.when'],
    ...['invalid_type apps.0.files.0.content', 'invalid_type apps.0.files.0.mode'],
  ]);
});

test('suggests the correct form for a wrong list or mapping', () => {
  assert.equal(hintOf(app('args: --log -x')), 'Write a list: `args: ["--log", "-x"]`.');
  assert.equal(hintOf(app(`args: sh -c "echo 'a b'"`)), undefined);
  assert.equal(hintOf(app('args: {a: b}')), undefined);
  assert.equal(
    hintOf(`${HEAD}apps: {web: {image: a}}\n`),
    'Write a list, in which each item begins with a dash, `- `.',
  );
  assert.equal(hintOf(app('volumes: [/data]')), 'Write keys and values, such as `- path: "/data"`.');
  assert.equal(hintOf(app('env: [A=b]')), undefined);
});

test('suggests an import if the file is a Compose file', () => {
  assert.equal(
    hintOf('services: {web: {image: a}}\n'),
    'Run `davit template import` to convert a Compose file to a template.',
  );
  assert.equal(hintOf(app('services: {}')), undefined);
});
