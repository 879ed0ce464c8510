import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { checkTemplate } from '../check.ts';
import { type ImportOptions, importCompose } from './import.ts';
import { importReport } from './report.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/compose');

function imported(compose: string, options?: ImportOptions) {
  const made = importCompose(compose, options);
  assert.ok(made.ok, made.ok ? '' : made.message);
  return made;
}

function refusal(compose: string): string {
  const made = importCompose(compose);
  return made.ok ? '' : made.message;
}

describe('Compose import fixtures', () => {
  for (const name of readdirSync(FIXTURES)) {
    test(`converts ${name} to the expected template and notes`, () => {
      const read = (file: string) => readFileSync(join(FIXTURES, name, file), 'utf8');
      const made = imported(read('compose.yaml'), { file: 'compose.yaml' });
      assert.equal(made.template, read('template.yaml'));
      assert.equal(`${importReport(made.notes).join('\n')}\n`, read('notes.txt'));
    });

    test(`accepts the template generated from ${name} without errors`, () => {
      const template = readFileSync(join(FIXTURES, name, 'template.yaml'), 'utf8');
      const { manifest, diagnostics } = checkTemplate(template);
      assert.deepEqual(
        diagnostics.filter(({ severity }) => severity === 'error'),
        [],
      );
      assert.notEqual(manifest, null);
    });
  }
});

describe('importCompose', () => {
  test('takes the project name from the options, file or folder', () => {
    const compose = 'services: { web: { image: a } }';
    const project = (options: ImportOptions, text = compose) => imported(text, options).manifest?.project;
    assert.equal(project({ project: 'My Shop!' }), 'my-shop');
    assert.equal(project({ folder: 'Some_Folder' }), 'some-folder');
    assert.equal(project({}), 'app');
    assert.equal(project({ folder: 'x' }, `name: named\n${compose}`), 'named');
    assert.equal(project({ project: 'settings' }), 'settings-app');
  });

  test('makes unreferenced domains optional with the emptyDomains option', () => {
    const compose = `services:
  web: { image: a, ports: ["80"], environment: { URL: "http://localhost:8080" } }
  api: { image: b, ports: ["8080:8080"] }`;
    const required = (options: ImportOptions) =>
      imported(compose, options).manifest?.inputs.map(({ key, required }) => [key, required]);
    assert.deepEqual(required({}), [
      ['webDomain', true],
      ['apiDomain', true],
    ]);
    assert.deepEqual(required({ emptyDomains: true }), [
      ['webDomain', false],
      ['apiDomain', true],
    ]);
  });

  test('sets the given repository as the build source', () => {
    const { template } = imported('services: { web: { build: ./web } }', { repo: 'https://github.com/acme/shop' });
    assert.match(template, /repo: https:\/\/github\.com\/acme\/shop\n {4}ref: main:web\n {4}build: dockerfile\n/);
  });

  test('omits a password of the Compose file from template and notes', () => {
    const compose = 'services: { web: { image: a, environment: { ADMIN_PASSWORD: hunter2-is-my-password } } }';
    const { template, notes } = imported(compose);
    assert.doesNotMatch(template + JSON.stringify(notes), /hunter2/);
  });

  test('resolves keys merged from an anchor', () => {
    const compose = `x-common: &common { environment: { A: "1" } }
services:
  web: { <<: *common, image: a }
  other: { <<: [*common], image: b }`;
    const { manifest } = imported(compose);
    assert.deepEqual(
      manifest?.apps.map(({ env }) => env),
      [{ A: '1' }, { A: '1' }],
    );
  });

  test('keeps numbers in environment variables as written', () => {
    const env = { UMASK: '022', VERSION: '1.10', ID: '175928847299117063', PIN: '+49', PORT: '80', HEX: '16' };
    const lines = Object.entries({ ...env, HEX: '0x10' }).map(([name, value]) => `      ${name}: ${value}`);
    const { template } = imported(`services:\n  web:\n    image: acme/web:1\n    environment:\n${lines.join('\n')}\n`);

    for (const [name, value] of Object.entries(env))
      assert.ok(template.includes(`      ${name}: "${value}"`), template);
  });

  test('reports omitted parts in the notes or refuses the file', () => {
    const one = 'services:\n  web: { image: acme/web:1 }\n';

    assert.match(refusal(`${one}---\nservices:\n  more: { image: acme/more:1 }\n`), /second YAML document/);
    assert.match(refusal(`${one}  web: { image: acme/web:2 }\n`), /“web” is in the file twice/);
    const { notes } = imported(`${one}  nothing:\n`);
    assert.ok(notes.some(({ service, kind }) => service === 'nothing' && kind === 'left-out'));
    const mounts = imported(`${one.replace(' }', ', volumes: [{ type: bind }] }')}`).notes;
    assert.ok(mounts.some(({ key, message }) => key === 'volumes' && /no `target`/.test(message)));
  });

  test('omits TCP ports bound to the loopback address and notes the omission', () => {
    const ports = ['127.0.0.1:6000:6000', '[::1]:6001:6001', '6002:6002'];
    const long = { target: 6003, published: '6003', host_ip: '127.0.0.1' };
    const { template, notes } = imported(
      stringify({ services: { web: { image: 'acme/web:1', ports: [...ports, long, '127.0.0.1:8080:80'] } } }),
    );

    const open = [...template.matchAll(/port: (\d+)/g)].map(([, port]) => port);
    assert.deepEqual(open, ['80', '6002']);
    for (const port of [6000, 6001, 6003])
      assert.ok(
        notes.some(({ kind, message }) => kind === 'left-out' && message.includes(`could reach port ${port}.`)),
      );
    assert.ok(notes.some(({ message }) => /Port 80 is served .* only the server itself/.test(message)));
  });

  test('notes unsupported root keys, tags and read-only volumes', () => {
    const { notes } = imported(
      'models: {}\nwhatever: 1\nx-own: 1\nnetworks: {}\nservices:\n  web:\n    image: acme/web:1\n' +
        '    ports: !reset []\n    volumes:\n      - kept:/a:ro\n      - { type: volume, source: b, target: /b, read_only: true }\n',
    );

    const leftOutKeys = notes.filter(({ kind }) => kind === 'left-out').map(({ key }) => key);
    assert.deepEqual(leftOutKeys.toSorted(), ['!reset', 'models', 'volumes', 'volumes', 'whatever']);
  });

  test('refuses invalid Compose files with a specific message', () => {
    assert.equal(refusal(''), 'The file is empty.');
    assert.match(
      refusal('services:\n  web: [1, 2'),
      /^Line 2: This line is not valid YAML: .* Add the closing `\]`\.$/,
    );
    assert.match(refusal('just text'), /not a Compose file/);
    assert.match(refusal('version: 1\napps: []'), /it has no `services`/);
    assert.match(refusal('services: {}'), /The file has no services/);
    assert.match(refusal('services: { db: { image: postgres } }'), /None of the services can be an app/);
    assert.match(refusal('caproverOneClickApp: {}\nservices: { web: { image: a } }'), /one-click app of CapRover/);
    assert.match(refusal('services: { web: {} }'), /None .* web: The service has neither an image nor a build/);
    assert.match(refusal('services: *nowhere'), /./);
    assert.match(
      refusal(stringify({ services: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`s${n}`, {}])) })),
      /more than 100/,
    );
  });
});

describe('hostile Compose file', () => {
  test('refuses alias bombs, deep nesting and oversized files', () => {
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x, x, x]',
      ...'bcdefghij'.split('').map((name, at) => {
        const before = 'abcdefghi'[at];
        return `${name}: &${name} [${`*${before}, `.repeat(9)}*${before}]`;
      }),
      'services: { web: { image: a, ports: *j } }',
    ].join('\n');
    assert.match(refusal(bomb), /aliases|not a Compose file/);
    assert.match(refusal('['.repeat(5_000)), /depth/);
    assert.match(refusal(`services: ${'{a: '.repeat(5_000)}`), /depth/);
    assert.match(refusal('x'.repeat(2_000_000)), /larger than/);
    assert.match(refusal(`services: [${'a,'.repeat(30_000)}]`), /nodes|tokens/);
  });

  test('accepts long malformed values, but refuses text over 64 KiB', () => {
    for (const piece of ['${', '${A:-', '1:', '"', '/', 'web:', 'web@', 'http://', '\\', '[']) {
      const text = piece.repeat(20_000 / piece.length);
      const service = {
        image: 'a',
        command: text,
        ports: [text],
        volumes: [text],
        environment: { A: text, KEY: text },
      };
      assert.ok(importCompose(JSON.stringify({ services: { web: service, other: { build: text } } })).ok, piece);
    }
    assert.match(refusal(JSON.stringify({ services: { web: { image: 'x'.repeat(70_000) } } })), /longer than 64 KiB/);
  });

  test('refuses merging a large mapping into many services', () => {
    const keys = Array.from({ length: 700 }, (_, n) => `k${n}: 1`).join(', ');
    const services = Array.from({ length: 90 }, (_, n) => `  s${n}: { <<: *big, image: a }`).join('\n');
    assert.match(refusal(`x: &big { ${keys} }\nservices:\n${services}`), /aliases/);
  });

  test('prevents injection of lines, references and control characters', () => {
    const evil = 'x: y\n  - key: evil # "\u001b[2J\u2028${input.nobody}';
    const { manifest, notes } = imported(
      stringify({
        services: {
          [evil]: { image: 'a', environment: { A: evil, B: '$${db.x.password}' }, [evil]: 1, ports: [evil] },
        },
      }),
    );
    assert.equal(manifest?.apps.length, 1);
    assert.equal(manifest?.apps[0]?.env.B, undefined);
    const report = importReport(notes).join('\n');
    assert.ok(!report.includes('\u001b') && !report.includes('\u2028'));
  });

  test('reports a secret in a command as an error of the template', () => {
    const { manifest, problems } = imported(`services:
  web: { image: a, command: [serve, "--db=postgres://shop:a-long-password@db/shop"], depends_on: [db] }
  db: { image: "postgres:17", environment: { POSTGRES_USER: shop, POSTGRES_PASSWORD: a-long-password } }
`);
    const errors = problems.filter(({ severity }) => severity === 'error').map(({ code }) => code);
    assert.deepEqual([manifest, errors], [null, ['command.secret']]);
  });

  test('generates no invalid template from random Compose files, unless a command contains a secret', () => {
    fc.assert(
      fc.property(composeFiles, (file) => {
        const made = importCompose(stringify(file));
        if (made.ok)
          assert.deepEqual(
            made.problems.filter(({ severity, code }) => severity === 'error' && code !== 'command.secret'),
            [],
            made.template,
          );
      }),
      { seed: 5, numRuns: 100 },
    );
  });

  test('does not throw on random text or random service keys', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => void importCompose(text)),
      { seed: 5, numRuns: 100 },
    );
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 100 }),
        (text) => void importCompose(`services: {a: {image: b, ${text}}}`),
      ),
      { seed: 5, numRuns: 100 },
    );
  });
});

const scalar = fc.oneof(
  fc.constantFrom(
    '',
    'db',
    'web',
    'db:5432',
    'http://web:80/x',
    'postgres://u:p@db/n',
    '${A}',
    '${B:-x}',
    '${C:?',
    '$$',
    '${A:-${B}}',
    'secret',
  ),
  fc.constantFrom(0, 80, -1, 70_000, 1.5, true, null),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.constantFrom('target', 'source', 'type', 'limits', 'A', 'DB_PASSWORD'), fc.string({ maxLength: 8 })),
      tie('any'),
      { maxKeys: 4 },
    ),
  ),
})).any;
const KEYS =
  'build environment ports expose volumes configs command entrypoint healthcheck deploy depends_on labels links networks scale cpus mem_limit restart';
const service = fc
  .tuple(
    fc.constantFrom(
      'nginx',
      'postgres:14',
      'redis',
      'mongo:x',
      'a/b@sha256:1',
      'UPPER',
      '',
      'h:5000/a:1',
      'pgvector/pgvector:pg16',
    ),
    fc.dictionary(fc.constantFrom(...KEYS.split(' ')), value, { maxKeys: 6 }),
  )
  .map(([image, keys]) => ({ image, ...keys }));
const composeFiles = fc.record({
  name: scalar,
  services: fc.dictionary(
    fc.oneof(fc.constantFrom('web', 'db', 'settings', 'A.b'), fc.string({ maxLength: 12 })),
    service,
    { minKeys: 1, maxKeys: 5 },
  ),
  configs: value,
  volumes: value,
});
