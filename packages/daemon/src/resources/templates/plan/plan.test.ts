import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { checkTemplate, type Manifest } from '@davit/template';
import { changesOf } from './changes.ts';
import { describeChanges } from './described-changes.ts';
import type { InstanceView } from './instance-view.ts';
import { type InstallRequest, planInstall } from './plan.ts';

const INSTANCE: InstanceView = {
  ...{ version: '0.1.0', hasProject: false, hasEnvironment: false },
  ...{ hasApp: () => false, hasDatabase: () => false, takenStore: () => false, hasStore: () => true },
  ...{ host: (text) => ({ host: text }), hostProblem: () => null, portProblem: () => null, adoptProblem: () => null },
};

const FILE = `version: 1
minCubeship: ">=0.9.0"
minVersion: ">=0.1.0"
project: shop
inputs:
  - {key: domain, type: domain, label: Domain, required: false}
  - {key: mail, type: choice, label: Mail, options: ["on", "off"], default: "off"}
  - {key: port, type: number, label: Port, default: 20000, min: 1024, max: 65535}
databases:
  - {key: db, engine: postgres, limits: {memory: 256Mi}}
  - {key: queue, engine: redis, when: {input: mail, equals: "on"}}
apps:
  - key: web
    image: acme/shop
    tag: "1"
    port: 3000
    domains: [{host: "\${input.domain}"}]
    attach: [{database: db}, {database: queue, prefix: QUEUE_}]
    env: {URL: "http://\${app.web.host}:\${app.web.port}", MAIL: "\${input.mail}"}
    envWhen: [{when: {input: mail, equals: "on"}, env: {MAIL: "smtp"}}]
    tcp: [{port: 22, host: "\${input.port}"}]
  - {key: mailer, image: acme/mailer, when: {input: mail, equals: "on"}}
`;

function manifestOf(text: string): Manifest {
  const { manifest, diagnostics } = checkTemplate(text);
  assert.ok(manifest, JSON.stringify(diagnostics));
  return manifest;
}

/** Returns the manifest with another memory limit of the database, which the template check may not accept. */
function withMemory(memory_bytes: number): Manifest {
  const manifest = manifestOf(FILE);
  const databases = manifest.databases.map((one) => ({ ...one, limits: { cpu: null, memory_bytes } }));
  return { ...manifest, databases };
}

function planned(
  inputs: Record<string, string> = {},
  more: Partial<InstallRequest> = {},
  instance: Partial<InstanceView> = {},
) {
  const target = { project: 'shop', environment: 'production' };
  const names = { databases: {}, stores: {}, apps: {} };
  return planInstall(
    { manifest: manifestOf(FILE), place: target, inputs, names, adopt: {}, ...more },
    { ...INSTANCE, ...instance },
  );
}

describe('installation plan', () => {
  test('pins an image with a digest to this digest, also if the template has a tag', () => {
    const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
    const manifest = manifestOf(FILE.replace('image: acme/shop', `image: docker.io/acme/shop@${digest}`));
    const { wanted, resources, problems } = planned({}, { manifest });
    assert.deepEqual([wanted.apps[0]?.create.image, wanted.apps[0]?.create.tag], ['acme/shop', digest]);
    assert.match(resources.find(({ kind }) => kind === 'app')?.detail ?? '', new RegExp(`^acme/shop@${digest},`));
    assert.deepEqual(problems, []);
  });

  test('lists the resources in creation order according to the answers', () => {
    const { resources, problems } = planned();
    assert.deepEqual(problems, []);
    assert.deepEqual(
      resources.map(({ kind, name, action }) => `${action} ${kind} ${name}`),
      ['create project shop', 'create environment production', 'create database db', 'create app web'],
    );
    const all = planned({ mail: 'on' });
    assert.deepEqual(
      all.resources.slice(2).map(({ name }) => name),
      ['db', 'queue', 'web', 'mailer'],
    );
    assert.equal(all.wanted.apps[0]?.env.MAIL, 'smtp');
  });

  test('omits a domain without an answer and uses the internal host', () => {
    const { wanted } = planned();
    assert.deepEqual(wanted.apps[0]?.domains, []);
    assert.equal(wanted.values.web?.host, 'web.production.shop.internal');
    assert.equal(planned({ domain: 'shop.example.com' }).wanted.values.web?.host, 'shop.example.com');
  });

  test('reports a fixed scale for an app with autoscaling', () => {
    const file = FILE.replace(/tcp: .*/, 'autoscale: {min: 2, max: 5, cpu: 80}');
    const { resources, wanted } = planned({}, { manifest: manifestOf(file) });
    assert.equal(wanted.apps[0]?.create.scale, 2);
    assert.match(resources.find(({ kind }) => kind === 'app')?.detail ?? '', /no autoscaling: the scale is 2$/);
  });

  test('says that other apps cannot reach an app by its key if the key is a name in use', () => {
    const names = { databases: {}, stores: {}, apps: { web: 'shop-web' } };
    const instance = { hasProject: true, hasEnvironment: true, hasApp: (name: string) => name === 'web' };
    const detail = (more: Partial<InstanceView>) =>
      planned({}, { names }, more).resources.find(({ kind }) => kind === 'app')?.detail ?? '';

    assert.match(detail(instance), /other apps cannot reach it as web, because this name is in use$/);
    assert.doesNotMatch(detail({}), /cannot reach/);
  });

  test('keeps each variable value exactly as written in the template', () => {
    const written = { A: '1.0', B: '1', C: '0755', D: 'yes', E: '1e6', F: '1000000', G: '0x1F', H: '~x', I: '.5' };
    const env = Object.entries(written).map(([name, text]) => `${name}: ${text}`);
    const file = FILE.replace(/env: \{URL[^}]*\}:[^}]*\}[^}]*\}[^}]*\}/, `env: {${env.join(', ')}}`);
    assert.deepEqual(planned({}, { manifest: manifestOf(file) }).wanted.apps[0]?.env, { ...written });
  });

  test('is ready within two seconds for a template with 250 apps', () => {
    const apps = Array.from({ length: 250 }, (_, at) => {
      const waits = at === 0 ? '' : `, depends_on: [a${at - 1}]`;
      return `  - {key: a${at}, image: acme/a, tag: "1", port: 80, env: {NEXT: "\${app.a${(at + 1) % 250}.internal}"}${waits}}`;
    });
    const gates = 'minCubeship: ">=0.9.0"\nminVersion: ">=0.1.0"\n';
    const manifest = manifestOf(`version: 1\n${gates}project: many\napps:\n${apps.join('\n')}\n`);
    const began = performance.now();
    const { problems, resources } = planned({}, { manifest });
    assert.deepEqual([problems, resources.length], [[], 252]);
    assert.ok(performance.now() - began < 2_000);
  });

  test('applies a new app name to all references', () => {
    const { wanted } = planned({}, { names: { databases: {}, stores: {}, apps: { web: 'front' } } });
    assert.equal(wanted.apps[0]?.reference, 'shop/production/front');
    assert.equal(wanted.values.web?.internal, 'front.production.shop.internal');
  });

  const wrong: [string, ReturnType<typeof planned>, string, RegExp][] = [
    [
      'the name of an existing app',
      planned({}, {}, { hasEnvironment: true, hasApp: () => true }),
      'names.apps.web',
      /already/,
    ],
    [
      'the name of an existing database',
      planned({}, {}, { hasEnvironment: true, hasDatabase: () => true }),
      'names.databases.db',
      /already/,
    ],
    [
      'a host that is in use',
      planned({ domain: 'a.b' }, {}, { hostProblem: () => ({ code: 'taken', message: 'a.b is taken.' }) }),
      'inputs',
      /taken/,
    ],
    [
      'a port that is in use',
      planned({}, {}, { portProblem: () => ({ code: 'taken', message: 'Port 20000 is taken.' }) }),
      'inputs',
      /web: Port 20000/,
    ],
    [
      'a name for an unknown key',
      planned({}, { names: { databases: {}, stores: {}, apps: { no: 'x' } } }),
      'names.apps.no',
      /no database, object store or app with this key/,
    ],
    [
      'an invalid project name',
      planned({}, { place: { project: 'Shop', environment: 'production' } }),
      'project',
      /lower-case/,
    ],
    [
      'a database that cannot be adopted',
      planned({}, { adopt: { db: 'a/b/c' } }, { adoptProblem: () => ({ code: 'not_allowed', message: 'No.' }) }),
      'adopt.databases.db',
      /No/,
    ],
    [
      'a limit in an older manifest that the API does not accept',
      planned({}, { manifest: withMemory(8 * 2 ** 20) }),
      'databases.db',
      /limits\.memory_bytes/,
    ],
    [
      'answers that make a variable too long',
      planned(
        { domain: `${'a'.repeat(70_000)}.example` },
        { manifest: manifestOf(FILE.replace('http://', `http://\${input.domain}`)) },
      ),
      'apps.web.env',
      /at most 128 KiB/,
    ],
  ];
  for (const [what, { problems }, field, message] of wrong) {
    test(`reports a problem with ${what}`, () => {
      const found = problems.find((problem) => problem.field === field);
      assert.ok(found, JSON.stringify(problems));
      assert.match(found.message, message);
    });
  }

  test('reports why a template does not fit the instance', () => {
    assert.match(planned({}, {}, { version: '0.0.1' }).unfit?.message ?? '', /needs Davit >=0\.1\.0/);
    const built = FILE.replace(
      'image: acme/shop\n    tag: "1"',
      'repo: https://github.com/acme/shop\n    build: dockerfile',
    );
    assert.match(planned({}, { manifest: manifestOf(built) }).unfit?.message ?? '', /web is built from source/);
  });
});

describe('changes between two template releases', () => {
  const side = (text: string, inputs: Record<string, string> = {}) => {
    const { wanted, answers } = planned(inputs, { manifest: manifestOf(text) });
    return { wanted, values: { inputs: answers, apps: wanted.values, databases: {}, stores: {} } };
  };

  test('are empty for two identical releases', () => {
    const { apps, databases } = changesOf(side(FILE), side(FILE));
    assert.deepEqual([apps.add, apps.change, apps.remove, databases.change], [[], [], [], []]);
  });

  test('contain only the settings, variables and ports that differ', () => {
    const later = FILE.replace('tag: "1"', 'tag: "2"')
      .replace(/MAIL: "[^"]*"}/, 'EXTRA: "1"}')
      .replace(/tcp: .*/, 'tcp: [{port: 23}]');
    const [change] = changesOf(side(FILE), side(later)).apps.change;
    assert.deepEqual(change?.patch, { tag: '2' });
    assert.deepEqual(change?.variables, { set: ['EXTRA'], unset: ['MAIL'] });
    assert.deepEqual(change?.tcp, { add: [{ container: 23, host: null }], remove: [{ container: 22, host: 20000 }] });
    assert.deepEqual(change?.attach, { add: [], remove: [] });
  });

  test('include variables and domains that refer to a changed answer', () => {
    const { apps } = changesOf(side(FILE), side(FILE, { domain: 'shop.example.com' }));
    assert.deepEqual(apps.change[0]?.variables.set, ['URL']);
    assert.equal(apps.change[0]?.domains.add[0]?.host, 'shop.example.com');
  });

  test('add new buckets to a store but keep its version', () => {
    const store = (version: string, buckets: string, attached: string) =>
      `version: 1\nproject: shop\nstores: [{key: files, version: "${version}", buckets: [${buckets}]}]\napps:\n  - {key: web, image: a, attach: [{store: files, bucket: ${attached}}]}\n`;
    const changes = changesOf(side(store('1', 'one, two', 'one')), side(store('2', 'one, three', 'four')));
    const stores = describeChanges(changes, { removes: true, overwrites: () => [] }).filter(
      ({ kind }) => kind === 'object_store',
    );
    assert.deepEqual(
      stores.map(({ action, detail }) => `${action}: ${detail}`),
      [
        'change: creates the bucket three, creates the bucket four',
        'keep: version: the new release has 2, but the update keeps 1',
      ],
    );
  });

  test('keep a database that the new release no longer contains', () => {
    const described = describeChanges(changesOf(side(FILE, { mail: 'on' }), side(FILE)), {
      removes: true,
      overwrites: () => [],
    });
    const words = described.map(({ action, kind, name }) => `${action} ${kind} ${name}`);
    assert.deepEqual(words, ['change app web', 'remove app mailer', 'keep database queue']);
  });
});
