import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTemplate } from '../read.ts';

const APPS = 'apps: [{key: web, image: a}]\n';
const HEAD = 'version: 1\nproject: shop\n';
const app = (...lines: string[]) => `${HEAD}apps:\n  - key: web\n${lines.map((line) => `    ${line}\n`).join('')}`;

/** Code and path of everything that is told. */
function told(text: string): string[] {
  return readTemplate(text).problems.map(({ code, path }) => `${code.replace('schema.', '')} ${path.join('.')}`);
}

function hintOf(text: string): string | undefined {
  return readTemplate(text).problems[0]?.hint;
}

const draftOf = (text: string) => readTemplate(text).draft;
const appOf = (...lines: string[]) => draftOf(app(...lines))?.apps[0];

test('the least there can be is a draft, and nothing is filled in', () => {
  assert.deepEqual(draftOf(HEAD + APPS), { version: 1, project: 'shop', apps: [{ key: 'web', image: 'a' }] });
});

test('a root that is a list has the wrong type', () => {
  assert.deepEqual(told('- a\n'), ['invalid_type ']);
  assert.deepEqual(readTemplate('\n- a\n').problems[0]?.line, 2);
});

test('what is missing is told at its own path, where the mapping stands', () => {
  assert.deepEqual(told('project: shop\n'), ['invalid_type version', 'invalid_type apps']);
  const { problems } = readTemplate(`${HEAD}${APPS}databases:\n  - key: db\n`);
  assert.deepEqual(
    problems.map(({ path, line, column }) => ({ path, line, column })),
    [{ path: ['databases', 0, 'engine'], line: 5, column: 5 }],
  );
  assert.equal(problems[0]?.hint, 'Add it, such as `engine: "postgres"`.');
});

test('version is the plain digit 1', () => {
  for (const version of ['"1"', '1.0', '0x1', '2', '+1', '01', 'one', '', 'true', '[1]', '!!str 1']) {
    assert.deepEqual(told(`version: ${version}\nproject: a\n${APPS}`), ['invalid_value version'], version);
  }
});

test('null is not absent', () => {
  for (const key of ['inputs', 'databases', 'stores', 'environment', 'minCubeship', 'name', 'jobs']) {
    assert.deepEqual(told(`${HEAD}${APPS}${key}:\n`), [`invalid_type ${key}`]);
  }
  assert.deepEqual(told(app('env:', 'limits: ~', 'port: null')).sort(), [
    'invalid_type apps.0.env',
    'invalid_type apps.0.limits',
    'invalid_type apps.0.port',
  ]);
});

test('expose alone may be null', () => {
  const database = (expose: string) => `${HEAD}${APPS}databases: [{key: db, engine: redis, expose: ${expose}}]\n`;
  assert.equal(draftOf(database('null'))?.databases?.[0]?.expose, null);
  assert.equal(draftOf(database('0'))?.databases?.[0]?.expose, 0);
  assert.deepEqual(told(database('"1"')), ['invalid_type databases.0.expose']);
});

test('text that looks like something else has to be quoted, and the hint says how', () => {
  assert.deepEqual(told(app('tag: 18')), ['invalid_type apps.0.tag']);
  assert.equal(hintOf(app('tag: 18')), 'Put it in quotes: `tag: "18"`.');
  assert.equal(hintOf(app('tag: 1.50')), 'Put it in quotes: `tag: "1.50"`.');
  assert.equal(hintOf(app('tag: 2024-01-01')), 'Put it in quotes: `tag: "2024-01-01"`.');
  assert.equal(hintOf(app('tag: true')), 'Put it in quotes: `tag: "true"`.');
  assert.equal(hintOf(app('args: [5]')), 'Put it in quotes: `- "5"`.');
  assert.equal(hintOf(app('tag:')), undefined);
  assert.equal(appOf('tag: !!str 18')?.tag, '18');
  assert.equal(appOf('tag: yes')?.tag, 'yes');
});

test('whole numbers may be written as floats, octals are decimals, and other bases are none', () => {
  const ports = { 3000: 3000, '3e3': 3000, '3000.0': 3000, '017': 17, '3_000': 3000, '+80': 80 };
  for (const [written, port] of Object.entries(ports)) assert.equal(appOf(`port: ${written}`)?.port, port, written);
  for (const written of ['0x10', '0o17', '0b11', '.inf', '.nan', '80.5', '"80"', 'a', 'true', '2024-01-01', '[80]']) {
    assert.deepEqual(told(app(`port: ${written}`)), ['invalid_type apps.0.port'], written);
  }
});

test('numbers have bounds where the format has them', () => {
  assert.deepEqual(told(app('port: 0', 'scale: 0')), ['too_small apps.0.port', 'too_small apps.0.scale']);
  assert.deepEqual(told(app('port: 65536')), ['too_big apps.0.port']);
  assert.deepEqual(told(app('domains: [{host: a, port: -1}]')), ['too_small apps.0.domains.0.port']);
  assert.deepEqual(told(app('tcp: [{port: 65536}]')), ['too_big apps.0.tcp.0.port']);
});

test('a port of the host is text, or a number in its range that stays as written', () => {
  const host = (written: string) => appOf(`tcp: [{port: 1, host: ${written}}]`)?.tcp?.[0]?.host;
  assert.equal(host('2222'), '2222');
  assert.equal(host('"99"'), '99');
  assert.equal(host('02222'), '02222');
  assert.equal(host('3e3'), '3000');
  assert.equal(host('"${input.port}"'), '${input.port}');
  assert.deepEqual(told(app('tcp: [{port: 1, host: 1023}]')), ['too_small apps.0.tcp.0.host']);
  assert.deepEqual(told(app('tcp: [{port: 1, host: 65536}]')), ['too_big apps.0.tcp.0.host']);
  assert.deepEqual(told(app('tcp: [{port: 1, host: ""}]')), ['too_small apps.0.tcp.0.host']);
  assert.deepEqual(told(app('tcp: [{port: 1, host: true}]')), ['invalid_type apps.0.tcp.0.host']);
});

test('values of variables are the text as written', () => {
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
    told(app('env:', '  A:', '  B: [1]', '  C: {}')),
    ['A', 'B', 'C'].map((name) => `invalid_type apps.0.env.${name}`),
  );
});

test('names of variables have a form', () => {
  assert.deepEqual(told(app('env: {database__client: a, url: b, _: c, A1: d}')), []);
  assert.deepEqual(
    told(app('env: {1A: a, "A-B": b, "": c, é: d, <<: e}')),
    ['1A', 'A-B', '', 'é', '<<'].map((name) => `invalid_format apps.0.env.${name}`),
  );
});

test('memory and size are kept as written, as text or number', () => {
  const memory = (written: string) => appOf(`limits: {memory: ${written}}`)?.limits?.memory;
  assert.deepEqual(['1Gi', '1073741824', '1.50', '0x10', '"512 Mi"'].map(memory), [
    '1Gi',
    '1073741824',
    '1.50',
    '0x10',
    '512 Mi',
  ]);
  assert.deepEqual(told(app('limits: {memory: true, cpu: a}')), [
    'invalid_type apps.0.limits.memory',
    'invalid_type apps.0.limits.cpu',
  ]);
  assert.deepEqual(appOf('limits: {}')?.limits, {});
});

test('empty text is refused, but where it says something', () => {
  assert.deepEqual(told(app('image: ""', 'health: ""', 'tag: ""')), [
    'too_small apps.0.image',
    'too_small apps.0.health',
    'too_small apps.0.tag',
  ]);
  assert.deepEqual(told(`${HEAD}${APPS}name: ""\nminCubeship: ""\n`), ['too_small name', 'too_small minCubeship']);
  assert.deepEqual(told(app('attach: [{database: db, prefix: ""}]', 'files: [{path: /a, content: ""}]')), []);
  assert.deepEqual(told(`${HEAD}${APPS}inputs: [{key: a, type: text, label: A, help: "", default: ""}]`), []);
});

test('lists need as many items as the format says', () => {
  assert.deepEqual(told(`${HEAD}apps: []\n`), ['too_small apps']);
  assert.deepEqual(told(`${HEAD}${APPS}inputs: [{key: a, type: choice, label: A, options: [x]}]`), [
    'too_small inputs.0.options',
  ]);
  assert.deepEqual(told(`${HEAD}${APPS}inputs: []\ndatabases: []\n`), []);
});

test('slugs, keys and tags have forms', () => {
  assert.deepEqual(told(`version: 1\nproject: My Shop\nenvironment: -a\n${APPS}`), [
    'invalid_format project',
    'invalid_format environment',
  ]);
  assert.deepEqual(told(app('tag: "a:b"', 'name: web_1')), ['invalid_format apps.0.tag', 'invalid_format apps.0.name']);
  assert.deepEqual(told(`${HEAD}apps: [{key: 1a, image: a}]`), ['invalid_format apps.0.key']);
  assert.deepEqual(told(app(`tag: ${'a'.repeat(128)}`)), []);
  assert.deepEqual(told(app(`tag: ${'a'.repeat(129)}`)), ['invalid_format apps.0.tag']);
});

test('a name for people is at most 100 characters on one line', () => {
  const name = (text: string) => told(`${HEAD}${APPS}name: ${JSON.stringify(text)}\n`);
  for (const good of ['Umami', 'Ü 😀', '😀'.repeat(100), 'a']) assert.deepEqual(name(good), [], good);
  for (const bad of [' a', 'a ', 'a\nb', 'a\tb', '\u3000a', 'a'.repeat(101), '😀'.repeat(101), ' ']) {
    assert.deepEqual(name(bad), ['invalid_value name'], bad);
  }
});

test('a word outside a closed list is told with the one that is near', () => {
  assert.deepEqual(told(app('repo: https://a.b/c', 'build: docker')), ['invalid_value apps.0.build']);
  assert.equal(hintOf(app('build: docker')), 'Did you mean `dockerfile`?');
  assert.deepEqual(told(app('build: 3')), ['invalid_type apps.0.build']);
});

test('an input of no known type is told once, and the rest of it is not looked at', () => {
  const inputs = (...lines: string[]) =>
    told(`${HEAD}${APPS}inputs:\n${lines.map((line) => `  - ${line}\n`).join('')}`);
  assert.deepEqual(inputs('{key: 1, type: url, nonsense: true}'), ['invalid_union inputs.0.type']);
  assert.deepEqual(inputs('{key: a}', '{type: 3}', '{type: ~}', '{type: text}'), [
    ...['invalid_union inputs.0.type', 'invalid_union inputs.1.type', 'invalid_union inputs.2.type'],
    ...['invalid_type inputs.3.key', 'invalid_type inputs.3.label'],
  ]);
  assert.deepEqual(inputs('text'), ['invalid_type inputs.0']);
});

test('a key that is not known is told, with the one that was meant', () => {
  assert.deepEqual(told(app('imgae: a')), ['unknown-key apps.0.imgae']);
  assert.equal(hintOf(app('imgae: a')), 'Did you mean `image`?');
  assert.equal(hintOf(`${HEAD}${APPS}mincubeship: a\n`), 'Did you mean `minCubeship`?');
  assert.deepEqual(told(`${HEAD}${APPS}toString: a\n__proto__: b\n"": c\n`), [
    'unknown-key toString',
    'unknown-key __proto__',
    'unknown-key ',
  ]);
  assert.equal(hintOf(`${HEAD}${APPS}zzz: a\n`), undefined);
});

test('a key of another type of input is told to be of that', () => {
  const text = `${HEAD}${APPS}inputs: [{key: a, type: domain, label: A, options: [x, y], generat: 3}]`;
  const { problems } = readTemplate(text);
  assert.deepEqual(
    problems.map(({ code, path, hint }) => [code, path.at(-1), hint]),
    [
      ['schema.unknown-key', 'options', '`options` is for inputs of type `choice`.'],
      ['schema.unknown-key', 'generat', 'Did you mean `generate`?'],
    ],
  );
});

test('problems come as the file has them, and at the end of a mapping what is missing in it', () => {
  const text = 'apps:\n  - image: 5\n    nonsense: 1\n    port: a\nversion: 2\nfoo: 1\n';
  assert.deepEqual(told(text), [
    ...[
      'invalid_type apps.0.image',
      'unknown-key apps.0.nonsense',
      'invalid_type apps.0.port',
      'invalid_type apps.0.key',
    ],
    ...['invalid_value version', 'unknown-key foo', 'invalid_type project'],
  ]);
});

test('a shape that is wrong leaves no draft, and a warning of the reader leaves one', () => {
  assert.equal(readTemplate(`${HEAD}${APPS}foo: 1\n`).draft, null);
  const read = readTemplate(`${HEAD}${APPS}---\nmore: 1\n`);
  assert.deepEqual([read.draft?.project, read.problems[0]?.code], ['shop', 'yaml.more-documents']);
});

test('of hundreds of problems 200 are listed, and the others counted', () => {
  const { problems } = readTemplate(`${HEAD}apps: [${'0,'.repeat(700)}]\n`);
  assert.equal(problems.length, 201);
  assert.match(problems.at(-1)?.message ?? '', /500 more/);
});

test('what was added to the format has its shape, too', () => {
  const lines = [
    'command: [node, server.js]',
    'args: []',
    'files: [{path: /a, content: b, mode: "0644"}]',
    'envWhen: [{when: {input: a, equals: ""}, env: {A: 1}}]',
    'volumes: [{path: /data, size: 10Gi, when: {input: a}}]',
    'depends_on: [db]',
  ];
  const jobs = 'minVersion: ">=0.1.0"\njobs: [{key: j, app: web, command: [a], on: always, timeout: 3600}]\n';
  assert.deepEqual(told(app(...lines) + jobs), []);
  assert.deepEqual(told(app('command: []', 'files: [{path: /a, mode: 0644}]', 'envWhen: [{env: {}}]')), [
    ...['too_small apps.0.command', 'invalid_type apps.0.files.0.mode', 'invalid_type apps.0.files.0.content'],
    'invalid_type apps.0.envWhen.0.when',
  ]);
});
