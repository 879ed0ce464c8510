import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APPS, app, appOf, draftOf, HEAD, hintOf, problemCodes } from '../../test/support/problem-codes.ts';

test('accepts only the plain digit 1 as version', () => {
  for (const version of ['"1"', '1.0', '0x1', '2', '+1', '01', 'one', '', 'true', '[1]', '!!str 1']) {
    assert.deepEqual(problemCodes(`version: ${version}\nproject: a\n${APPS}`), ['invalid_value version'], version);
  }
});

test('accepts null or a number for expose, but no text', () => {
  const database = (expose: string) => `${HEAD}${APPS}databases: [{key: db, engine: redis, expose: ${expose}}]\n`;
  assert.equal(draftOf(database('null'))?.databases?.[0]?.expose, null);
  assert.equal(draftOf(database('0'))?.databases?.[0]?.expose, 0);
  assert.deepEqual(problemCodes(database('"1"')), ['invalid_type databases.0.expose']);
});

test('requires quotes for text similar to other types and shows a hint', () => {
  assert.deepEqual(problemCodes(app('tag: 18')), ['invalid_type apps.0.tag']);
  assert.equal(hintOf(app('tag: 18')), 'Put the value in quotes: `tag: "18"`.');
  assert.equal(hintOf(app('tag: 1.50')), 'Put the value in quotes: `tag: "1.50"`.');
  assert.equal(hintOf(app('tag: 2024-01-01')), 'Put the value in quotes: `tag: "2024-01-01"`.');
  assert.equal(hintOf(app('tag: true')), 'Put the value in quotes: `tag: "true"`.');
  assert.equal(hintOf(app('args: [5]')), 'Put the value in quotes: `- "5"`.');
  assert.equal(hintOf(app('tag:')), undefined);
  assert.equal(appOf('tag: !!str 18')?.tag, '18');
  assert.equal(appOf('tag: yes')?.tag, 'yes');
});

test('accepts whole numbers as floats, but no other number bases', () => {
  const ports = { 3000: 3000, '3e3': 3000, '3000.0': 3000, '017': 17, '3_000': 3000, '+80': 80 };
  for (const [written, port] of Object.entries(ports)) assert.equal(appOf(`port: ${written}`)?.port, port, written);
  for (const written of ['0x10', '0o17', '0b11', '.inf', '.nan', '80.5', '"80"', 'a', 'true', '2024-01-01', '[80]']) {
    assert.deepEqual(problemCodes(app(`port: ${written}`)), ['invalid_type apps.0.port'], written);
  }
});

test('refuses numbers outside the bounds of the format', () => {
  const expose = (written: string) =>
    problemCodes(`${HEAD}${APPS}databases: [{key: a, engine: redis, expose: ${written}}]`);
  assert.deepEqual(expose('1e18'), []);
  for (const written of ['1e19', '-1e19', '9223372036854775808']) {
    assert.deepEqual(expose(written), ['invalid_type databases.0.expose'], written);
  }
  assert.deepEqual(problemCodes(app('port: 0', 'scale: 0')), ['too_small apps.0.port', 'too_small apps.0.scale']);
  assert.deepEqual(problemCodes(app('port: 65536')), ['too_big apps.0.port']);
  assert.deepEqual(problemCodes(app('domains: [{host: a, port: -1}]')), ['too_small apps.0.domains.0.port']);
  assert.deepEqual(problemCodes(app('tcp: [{port: 65536}]')), ['too_big apps.0.tcp.0.port']);
});

test('accepts a host port as text or as a number within the range', () => {
  const host = (written: string) => appOf(`tcp: [{port: 1, host: ${written}}]`)?.tcp?.[0]?.host;
  assert.equal(host('2222'), '2222');
  assert.equal(host('"99"'), '99');
  assert.equal(host('02222'), '02222');
  assert.equal(host('3e3'), '3000');
  assert.equal(host('"${input.port}"'), '${input.port}');
  assert.deepEqual(problemCodes(app('tcp: [{port: 1, host: 1023}]')), ['too_small apps.0.tcp.0.host']);
  assert.deepEqual(problemCodes(app('tcp: [{port: 1, host: 65536}]')), ['too_big apps.0.tcp.0.host']);
  assert.deepEqual(problemCodes(app('tcp: [{port: 1, host: ""}]')), ['too_small apps.0.tcp.0.host']);
  assert.deepEqual(problemCodes(app('tcp: [{port: 1, host: true}]')), ['invalid_type apps.0.tcp.0.host']);
});

test('keeps memory limits as written in text or number form', () => {
  const memory = (written: string) => appOf(`limits: {memory: ${written}}`)?.limits?.memory;
  assert.deepEqual(['1Gi', '1073741824', '1.50', '0x10', '"512 Mi"'].map(memory), [
    '1Gi',
    '1073741824',
    '1.50',
    '0x10',
    '512 Mi',
  ]);
  assert.deepEqual(problemCodes(app('limits: {memory: true, cpu: a}')), [
    'invalid_type apps.0.limits.cpu',
    'invalid_type apps.0.limits.memory',
  ]);
  assert.equal(memory('""'), '');
  assert.deepEqual(appOf('limits: {}')?.limits, {});
});

test('refuses empty text except in fields with optional content', () => {
  assert.deepEqual(
    problemCodes(app('image: ""', 'health: ""', 'tag: ""', 'build: ""')),
    ['image', 'tag', 'build', 'health'].map((key) => `too_small apps.0.${key}`),
  );
  const lists = 'databases: [{key: a, engine: postgres, extensions: [""]}]\nstores: [{key: a, buckets: [""]}]\n';
  assert.deepEqual(
    problemCodes(`${HEAD}${APPS}${lists}inputs: [{key: a, type: choice, label: A, options: ["", a]}]\n`),
    [],
  );
  assert.deepEqual(problemCodes(`${HEAD}${APPS}name: ""\nminCubeship: ""\n`), [
    'too_small name',
    'too_small minCubeship',
  ]);
  assert.deepEqual(problemCodes(app('attach: [{database: db, prefix: ""}]', 'files: [{path: /a, content: ""}]')), []);
  assert.deepEqual(problemCodes(`${HEAD}${APPS}inputs: [{key: a, type: text, label: A, help: "", default: ""}]`), []);
});

test('refuses invalid slugs, keys and tags', () => {
  assert.deepEqual(problemCodes(`version: 1\nproject: My Shop\nenvironment: -a\n${APPS}`), [
    'invalid_format project',
    'invalid_format environment',
  ]);
  assert.deepEqual(problemCodes(app('tag: "a:b"', 'name: web_1')), [
    'invalid_format apps.0.name',
    'invalid_format apps.0.tag',
  ]);
  assert.deepEqual(problemCodes(app('attach: [{database: 1a, store: "${input.a}"}]')), [
    'invalid_format apps.0.attach.0.database',
    'invalid_format apps.0.attach.0.store',
  ]);
  assert.deepEqual(problemCodes(`${HEAD}apps: [{key: 1a, image: a}]`), ['invalid_format apps.0.key']);
  assert.deepEqual(problemCodes(app(`tag: ${'a'.repeat(128)}`)), []);
  assert.deepEqual(problemCodes(app(`tag: ${'a'.repeat(129)}`)), ['invalid_format apps.0.tag']);
});

test('limits a display name to 100 characters on a single line', () => {
  const name = (text: string) => problemCodes(`${HEAD}${APPS}name: ${JSON.stringify(text)}\n`);
  for (const good of ['Umami', 'Ü 😀', '😀'.repeat(100), 'a']) assert.deepEqual(name(good), [], good);
  for (const bad of [' a', 'a ', 'a\nb', 'a\tb', '\u3000a', 'a'.repeat(101), '😀'.repeat(101), ' ']) {
    assert.deepEqual(name(bad), ['invalid_value name'], bad);
  }
});

test('suggests the nearest allowed word for an unknown build type', () => {
  assert.deepEqual(problemCodes(app('repo: https://a.b/c', 'build: docker')), ['invalid_value apps.0.build']);
  assert.equal(hintOf(app('build: docker')), 'Did you mean `dockerfile`?');
  assert.deepEqual(problemCodes(app('build: 3')), ['invalid_type apps.0.build']);
});

test('suggests removing quotes from numbers and booleans only', () => {
  assert.equal(hintOf(app('port: "3000"')), 'Remove the quotes: `port: 3000`.');
  assert.equal(hintOf(app('spread: "true"')), 'Remove the quotes: `spread: true`.');
  assert.equal(hintOf(app('limits: {cpu: "0.5"}')), 'Remove the quotes: `cpu: 0.5`.');
  for (const line of ['port: "1.5"', 'port: "many"', 'port: ""', 'spread: "3"', `port: "${'1'.repeat(100)}"`])
    assert.equal(hintOf(app(line)), undefined, line);
});

test('suggests a valid name for an invalid name', () => {
  const hints = ['My Shop!', 'shop_1', '-Caf\u00e9-', '!!', '\u65e5\u672c'].map((name) =>
    hintOf(app(`name: "${name}"`)),
  );
  assert.deepEqual(hints, [
    ...['Write for example `my-shop`.', 'Write for example `shop-1`.', 'Write for example `cafe`.'],
    undefined,
    undefined,
  ]);
  assert.equal(hintOf(app('env: {"MY-VAR": a}')), 'Write for example `MY_VAR`.');
});
