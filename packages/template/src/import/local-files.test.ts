import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseEnvFile } from './env-files.ts';
import { type Imported, importCompose } from './import.ts';
import type { LocalFiles } from './local-files.ts';
import { localPaths } from './local-paths.ts';

type Made = Extract<Imported, { ok: true }>;

/** Imports one service with these keys. */
function imported(keys: string, files: LocalFiles = {}, root = ''): Made {
  const made = importCompose(`services:\n  web: { image: a, ${keys} }\n${root}`, { files });
  assert.ok(made.ok);
  return made;
}

const filesOf = ({ manifest }: Made) => manifest?.apps[0]?.files?.map(({ path, content }) => [path, content]) ?? [];
const volumesOf = ({ manifest }: Made) => manifest?.apps[0]?.volumes.map(({ path }) => path);
const kindsOf = ({ notes }: Made, key: string) => notes.filter((note) => note.key === key).map(({ kind }) => kind);

describe('the files beside a Compose file', () => {
  test('are found in all keys that refer to them, and only below the folder of the file', () => {
    const compose = `services:
  web:
    image: a
    env_file: ["./\${ENV:-web}.env", { path: more.env, required: false }]
    volumes: [./site/:/site, ./$$kept:/kept, ../up:/up, /etc/passwd:/x, "~/k:/k", "named:/n", "./a/../../b:/b", { type: bind, source: ./c, target: /etc/c }, .:/code]
    configs: [nginx]
configs:
  nginx: { file: ./nginx.conf }
  unused: { file: ./unused.conf }`;
    assert.deepEqual(
      localPaths(compose).map(({ path, mayBeFolder }) => [path, mayBeFolder]),
      [
        ['web.env', false],
        ['more.env', false],
        ['nginx.conf', false],
        ['site', false],
        ['$kept', false],
        ['c', true],
      ],
    );
    assert.deepEqual(localPaths('- nothing'), []);
  });

  test('become files of the app if they are mounted as settings', () => {
    const files = {
      'nginx.conf': 'listen 80;',
      'rules/a.yml': 'a',
      'rules/deep/b.yml': 'b',
      'data/x': 'x',
      'ro/y': 'y',
    };
    const made = imported(
      'volumes: [./nginx.conf:/etc/nginx/nginx.conf, ./rules:/etc/rules, ./data:/data, ./ro:/read:ro]',
      files,
    );
    assert.deepEqual(filesOf(made), [
      ['/etc/nginx/nginx.conf', 'listen 80;'],
      ['/etc/rules/a.yml', 'a'],
      ['/etc/rules/deep/b.yml', 'b'],
      ['/read/y', 'y'],
    ]);
    assert.deepEqual(volumesOf(made), ['/data'], 'a writable folder keeps the data of the app');
  });

  test('keep texts that Compose does not replace, and are left out if they contain a reference', () => {
    const made = imported('volumes: [./a:/etc/a, ./b:/etc/b]', { a: '$HOME ${X:-1}', b: '${input.x}' });
    assert.deepEqual(filesOf(made), [['/etc/a', '$HOME ${X:-1}']]);
    assert.deepEqual(kindsOf(made, 'volumes'), ['changed', 'left-out']);
  });

  test('are left out if they are too large, inside a volume, or one of more than 64', () => {
    const many = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`many/${index}`, 'x']));
    const made = imported('volumes: [./big:/etc/big, "data:/data", ./in:/data/in:ro, ./many:/etc/many]', {
      ...many,
      big: 'é'.repeat(30_001),
      in: 'x',
    });
    assert.deepEqual(filesOf(made), []);
    assert.deepEqual(kindsOf(made, 'volumes'), ['carried', 'left-out', 'left-out', 'left-out']);
  });

  test('cannot be more than 64 in all folders of an app together, and the error names the folders', () => {
    const filesIn = (folder: string) => Array.from({ length: 40 }, (_, index) => [`${folder}/${index}`, 'x']);
    const files = Object.fromEntries([...filesIn('a'), ...filesIn('b')]);
    const made = imported('volumes: [./a:/etc/a, ./b:/etc/b]', files);
    assert.equal(made.manifest, null);
    const errors = made.problems.filter(({ severity }) => severity === 'error');
    assert.deepEqual(
      errors.map(({ code, path }) => [code, path]),
      [['instance.value', ['apps', 0, 'files']]],
    );
    assert.match(errors[0]?.message ?? '', /at most 64 files in total, but has 80: 40 in \/etc\/a, 40 in \/etc\/b/);
  });

  test('are not taken from the folder of the file itself, which also has the files with secrets', () => {
    const made = imported('env_file: .env, volumes: [".:/etc/app", "./:/read:ro"]', {
      '.env': 'API_SECRET=hunter2-hunter2',
    });
    assert.deepEqual(filesOf(made), []);
    assert.deepEqual(kindsOf(made, 'volumes'), ['left-out', 'left-out']);
    assert.doesNotMatch(made.template, /hunter2/);
  });

  test('cannot make a template much larger than the files', () => {
    const empty = Object.fromEntries(Array.from({ length: 64 }, (_, number) => [`empty/${number}`, '']));
    const files = { ...empty, settings: 'A=1\n'.repeat(10_000) };
    const times = (count: number, item: (number: number) => string) =>
      Array.from({ length: count }, (_, number) => item(number)).join(', ');
    const volumes = times(1_000, (number) => `./settings:/etc/${number}, ./empty:/etc/e${number}`);
    const made = imported(`env_file: [${times(500, () => 'settings')}], volumes: [${volumes}]`, files);
    assert.ok(made.template.length < 2_000_000, String(made.template.length));
  });

  test('are the content of configs', () => {
    const made = imported(
      'configs: [{ source: c, target: /etc/c }]',
      { 'c.txt': '${NOT}' },
      'configs: { c: { file: "${NAME:-c}.txt" } }',
    );
    assert.deepEqual(filesOf(made), [['/etc/c', '${NOT}']]);
  });

  test('are found if their paths contain variables with a default', () => {
    const made = imported(
      'env_file: "${FILE:-a.env}", configs: [{ source: c, target: /etc/c }]',
      { 'a.env': 'A=1', 'conf/c.txt': 'x' },
      'configs: { c: { file: "${CONF:-./conf}/c.txt" } }',
    );
    assert.deepEqual(made.manifest?.apps[0]?.env, { A: '1' });
    assert.deepEqual(filesOf(made), [['/etc/c', 'x']]);
  });

  test('do not become a volume that hides the programs or the code of the image', () => {
    const made = imported('volumes: [./conf:/etc/app, ./Caddyfile:/srv/Caddyfile, ./x.ini:/x.ini]');
    assert.deepEqual(volumesOf(made), []);
    assert.deepEqual(kindsOf(made, 'volumes'), ['left-out', 'left-out', 'left-out']);
    const code = importCompose('services: { web: { build: ./web, volumes: ["./web/src:/code", "./data:/data"] } }');
    assert.ok(code.ok);
    assert.deepEqual(volumesOf(code), ['/data']);
  });
});

describe('env_file of a Compose service', () => {
  const envOf = ({ manifest }: Made) => manifest?.apps[0]?.env;

  test('adds the variables of the files, and environment has priority', () => {
    const files = { 'a.env': 'A=1\nB=1\nC=1', 'b.env': 'B=2' };
    const made = imported('env_file: [a.env, "./${NAME:-b}.env"], environment: { C: "3" }', files);
    assert.deepEqual(envOf(made), { A: '1', B: '2', C: '3' });
    assert.deepEqual(kindsOf(made, 'env_file'), ['carried', 'carried']);
  });

  test('replaces secrets of the files with inputs', () => {
    const made = imported('env_file: a.env', { 'a.env': 'SESSION_SECRET=hunter2-is-my-password' });
    assert.deepEqual(envOf(made), { SESSION_SECRET: '${input.sessionSecret}' });
    assert.doesNotMatch(made.template + JSON.stringify(made.notes), /hunter2/);
  });

  test('notes a missing file', () => {
    assert.deepEqual(kindsOf(imported('env_file: a.env'), 'env_file'), ['left-out']);
    assert.deepEqual(kindsOf(imported('env_file: { path: a.env, required: false }'), 'env_file'), ['changed']);
    assert.deepEqual(kindsOf(imported('env_file: ../a.env', { '../a.env': 'A=1' }), 'env_file'), ['left-out']);
  });

  test('reads quotes, comments and exports like Compose', () => {
    const text = '\ufeff# first\nA=1 # one\nexport B = "x\\ny#"\nC=\'$D\'\nE=a#b\nF=\n\nG="two\nlines"\nnothing\n';
    assert.deepEqual(parseEnvFile(text), [
      ['A', '1'],
      ['B', 'x\ny#'],
      ['C', '$$D'],
      ['E', 'a#b'],
      ['F', ''],
      ['G', 'two\nlines'],
    ]);
  });
});
