import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { describe } from 'node:test';
import { checkTemplate, type Manifest } from '@davit/template';
import { admitFile, admitManifest } from './admit.ts';
import { sha256Of } from './same.ts';

const PUBLISHED = join(import.meta.dirname, '../../../../../template/fixtures/published');
const EXAMPLES = join(import.meta.dirname, '../../../../../../examples/templates');

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('template.yaml'))
    .map((name) => join(folder, name));
}

/** Template file with every field that a file can have. */
const ALL = `version: 1
minCubeship: ">=0.9.0"
minVersion: ">=0.1.0"
name: Everything
project: all
inputs:
  - {key: domain, type: domain, label: Domain, required: false}
  - {key: mode, type: choice, label: Mode, options: [a, b], default: a}
  - {key: port, type: number, label: Port, min: 1024, max: 65535, default: 20000}
  - {key: word, type: text, label: Word, pattern: "^[a-z]+$", default: abc, help: A word}
  - {key: token, type: secret, label: Token, format: hex, bytes: 32}
databases:
  - {key: db, engine: postgres, version: "17", extensions: [vectorchord], username: app, database: app, expose: 0, limits: {cpu: 0.5, memory: 256Mi}, when: {input: mode, not: b}}
  - {key: cache, engine: redis, limits: {}}
stores:
  - {key: files, buckets: [one], version: "3", limits: {memory: 1G}}
apps:
  - key: web
    image: ghcr.io/acme/web
    tag: "1.0"
    port: 3000
    health: /healthz
    domains: [{host: "\${input.domain}", port: 3000, when: {input: domain}}]
    attach:
      - {database: cache, prefix: CACHE_}
      - {store: files, bucket: one}
    env: {A: "3000", B: "\${input.word}", C: 1.50, D: true}
    envWhen:
      - {when: {input: mode, equals: b}, env: {E: x}}
    limits: {cpu: 1, memory: 512M}
    volumes: [{path: /data, size: 1Gi}]
    tcp: [{port: 22, host: "\${input.port}"}, {port: 23}]
    command: [npm, start]
    args: [--fast]
    files: [{path: /etc/app.conf, content: "a: \${input.word}", mode: "0600"}]
    depends_on: [migrate]
  - {key: worker, image: acme/worker, worker: true, spread: true, autoscale: {min: 1, max: 3, cpu: 80}}
jobs:
  - {key: migrate, app: web, command: [npm, run, migrate], on: always, timeout: 60}
`;

function manifestOf(text: string): Manifest {
  const { manifest, diagnostics } = checkTemplate(text);
  assert.ok(manifest, JSON.stringify(diagnostics.filter(({ severity }) => severity === 'error')));
  return JSON.parse(JSON.stringify(manifest)) as Manifest;
}

describe('admitManifest', () => {
  test('returns a manifest unchanged if a file can produce the manifest', () => {
    const files = [...filesIn(PUBLISHED), ...filesIn(EXAMPLES)];
    assert.ok(files.length > 20, 'the files are here');
    for (const text of [ALL, ...files.map((file) => readFileSync(file, 'utf8'))]) {
      // One of the examples is invalid on purpose.
      if (text !== ALL && checkTemplate(text).manifest === null) continue;
      const manifest = manifestOf(text);
      assert.deepEqual(admitManifest(manifest, 'It'), manifest);
    }
  });

  const changes: [string, (manifest: Manifest) => void, RegExp][] = [
    ['an unknown key', (m) => Object.assign(m.apps[0] ?? {}, { privileged: true }), /apps\.0\.privileged/],
    ['an unknown key at the top level', (m) => Object.assign(m, { owner: 'me' }), /owner/],
    ['a wrong type', (m) => Object.assign(m.apps[0] ?? {}, { port: '3000' }), /apps\.0\.port/],
    ['another schema version', (m) => Object.assign(m, { schema_version: 2 }), /schema_version/],
    [
      'a database with a port other than the port of its engine',
      (m) => Object.assign(m.databases[0] ?? {}, { port: 1 }),
      /databases\.0\.port/,
    ],
    ['an internal host of another app', (m) => Object.assign(m.apps[0] ?? {}, { internal_host: 'x' }), /internal_host/],
    [
      'a volume path that leads to the root folder',
      (m) => Object.assign(m.apps[0]?.volumes[0] ?? {}, { path: '/data/..' }),
      /path|volumes/,
    ],
    ['a volume below /proc', (m) => Object.assign(m.apps[0]?.volumes[0] ?? {}, { path: '/proc/1' }), /proc/],
    [
      'an image name that contains a tag',
      (m) => Object.assign(m.apps[0]?.source ?? {}, { image: 'acme/web:1' }),
      /image|tag/,
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of templates
    ['a reference to an unknown input', (m) => Object.assign(m.apps[0]?.env ?? {}, { B: '${input.none}' }), /none/],
    ['an input of an unknown type', (m) => Object.assign(m.inputs[0] ?? {}, { type: 'file' }), /inputs\.0\.type/],
    [
      'a min_version older than the used features',
      (m) => Object.assign(m, { min_version: '>=0.0.1' }),
      /0\.1\.0|minVersion/,
    ],
    [
      'variables that are not sorted',
      (m) => {
        const [app] = m.apps;
        if (app) app.env = Object.fromEntries([['DAVIT', 1], ...Object.entries(app.env)]) as never;
      },
      /env/,
    ],
  ];
  for (const [what, change, reason] of changes) {
    test(`refuses a manifest with a specific reason: ${what}`, () => {
      const manifest = manifestOf(ALL);
      change(manifest);
      assert.throws(() => admitManifest(manifest, 'The manifest'), { code: 'template_invalid', message: reason });
    });
  }

  test('refuses a value that is not a manifest', () => {
    for (const value of [null, 1, 'text', [], {}]) {
      assert.throws(() => admitManifest(value, 'The manifest'), { code: 'template_invalid' });
    }
  });
});

test('admitFile refuses an invalid file and reports the invalid field', () => {
  assert.throws(() => admitFile('version: 1\nproject: x\napps: []\n', 'The file'), {
    code: 'template_invalid',
    message: /^The file is not a valid template: apps: /,
  });
});

test('sha256Of does not depend on the order of the manifest keys', () => {
  const manifest = manifestOf(ALL);
  const turned = Object.fromEntries(Object.entries(manifest).reverse()) as unknown as Manifest;
  assert.equal(sha256Of(turned), sha256Of(manifest));
  assert.notEqual(sha256Of({ ...manifest, project: 'other' }), sha256Of(manifest));
});
