import fc from 'fast-check';

type Plain = Record<string, unknown>;

const TEXTS = [
  ...[
    'plain',
    '',
    'https://${input.domain}/',
    '${input.title} ${input.secret}',
    '${app.app0.internal}:${app.app0.port}',
  ],
  ...['${db.db.host}', '${store.files.bucket}', '${store.archive.endpoint}', '${HOME}', '${inputs.domain}', '$$ {x}'],
];
const text = fc.constantFrom(...TEXTS);
/** Arguments of commands. A secret is excluded, because commands must not contain secrets. */
const word = fc.constantFrom(...TEXTS.filter((one) => one !== '' && !one.includes('${input.secret}')));
const cpu = fc.constantFrom(0.01, 0.5, 2);
const limits = some({ cpu, memory: fc.constantFrom('6Mi', '1Gi', '0.5G', 268_435_456) });
/** Limits of databases and object stores, which need more memory than an app. */
const keptLimits = some({ cpu, memory: fc.constantFrom('64Mi', '1Gi', '0.5G', 268_435_456) });
const when = fc.constantFrom<Plain>(
  { input: 'size', equals: 'small' },
  { input: 'size', not: 'small' },
  { input: 'title' },
);

/** Generates valid templates that use all keys of the format. */
export function rightFiles(): fc.Arbitrary<Plain> {
  const apps = fc
    .integer({ min: 1, max: 3 })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => app(i))));
  return some(
    {
      ...{
        version: fc.constant(1),
        name: fc.constant('A shop'),
        project: fc.constantFrom('shop', 'a-1'),
        environment: fc.constant('test'),
      },
      ...{ minCubeship: fc.constantFrom('0.9.0', '>=0.9.0 <2'), minVersion: fc.constantFrom('0.1.0', '^0.1') },
      ...{ inputs: fc.constant(INPUTS), databases: databases(), stores: stores(), apps, jobs: jobs() },
    },
    ['version', 'project', 'minCubeship', 'minVersion', 'inputs', 'databases', 'stores', 'apps'],
  );
}

/** Generates templates in which one value was replaced. */
export function changedFiles(): fc.Arbitrary<Plain> {
  const strange = [
    '',
    'x',
    'settings',
    '${input.nope}',
    '${db.db}',
    'a:b',
    '0.6.0',
    '/proc',
    '1Ti',
    'appDb',
    '__proto__',
  ];
  const other = fc.oneof(
    fc.constantFrom<unknown>(...strange, 0, -1, 70_000, 0.5, true, null, [], {}),
    fc.string({ maxLength: 12 }),
    fc.constantFrom<unknown>(
      ...TEXTS,
      ['constructor'],
      { input: 'nope' },
      { cpu: -1 },
      { __proto__: null, toString: 'x' },
    ),
  );
  return fc.tuple(rightFiles(), fc.nat(), other).map(([file, index, value]) => {
    const copy = structuredClone(file);
    const spots = spotsOf(copy);
    const spot = spots[index % spots.length];
    if (spot) (spot.holder as Plain)[spot.key] = value;
    return copy;
  });
}

const INPUTS = [
  { key: 'domain', type: 'domain', label: 'Where it answers' },
  { key: 'title', type: 'text', label: 'Its title', required: false, default: 'Shop', pattern: '[A-Z][a-z]*' },
  { key: 'port', type: 'number', label: 'A port', min: 1024, max: 65_535, default: 2222 },
  { key: 'size', type: 'choice', label: 'How large', options: ['small', 'large'], help: '' },
  { key: 'secret', type: 'secret', label: 'A key', format: 'base64', bytes: 32 },
  { key: 'archive', type: 'store', label: 'Where old things go' },
];

function databases(): fc.Arbitrary<unknown> {
  const db = some({
    ...{ name: fc.constant('shop-db'), version: fc.constantFrom('18', '15'), username: fc.constant('shop') },
    ...{
      extensions: fc.constantFrom(['pgvector'], ['VectorChord', ' citext'], []),
      expose: fc.constantFrom(null, 0, 5432),
      limits: keptLimits,
    },
  });
  return db.map((more) => [
    { key: 'db', engine: 'postgres', ...more },
    { key: 'cache', engine: 'redis', version: '7.4', when: { input: 'size', equals: 'large' } },
  ]);
}

function stores(): fc.Arbitrary<unknown> {
  return some({ version: fc.constant('3.97'), limits: keptLimits }).map((more) => [
    { key: 'files', buckets: ['uploads'], ...more },
  ]);
}

function app(index: number): fc.Arbitrary<Plain> {
  const port = fc.constantFrom(80, 3000);
  const source = fc.constantFrom<Plain>(
    { image: 'ghcr.io/acme/shop', tag: '1' },
    { image: `registry.example:5000/shop@sha256:${'ab'.repeat(32)}` },
    { repo: 'https://github.com/acme/shop', build: 'dockerfile', dockerfile: 'x/Dockerfile', ref: 'main:x' },
  );
  const single = some({ volumes: volumes(), tcp: tcp(index) });
  const several = some({
    ...{ scale: fc.constantFrom(1, 3), spread: fc.boolean() },
    autoscale: some({ min: fc.constant(1), max: fc.constant(3), cpu: fc.constant(80) }, ['max', 'cpu']),
  });
  const env = fc.dictionary(fc.constantFrom('A', 'b', '_x', '__proto__', 'DATABASE_URL', 'constructor'), text, {
    maxKeys: 4,
  });
  const rest = some({
    ...{ name: fc.constant(`name-${index}`), port, health: fc.constantFrom('/', '/a/b'), limits, env, when },
    ...{ domains: list(some({ host: fc.constantFrom('${input.domain}', ' ${input.domain} '), port, when }, ['host'])) },
    ...{
      attach: attachments(),
      command: fc.array(word, { minLength: 1, maxLength: 3 }),
      args: list(word),
      files: files(),
    },
    ...{ envWhen: list(fc.record({ when, env })), depends_on: fc.constant(index > 0 ? [`app${index - 1}`] : []) },
  });
  return fc
    .tuple(source, fc.oneof(single, several), rest)
    .map((parts) => Object.assign({ key: `app${index}` }, ...parts));
}

function attachments(): fc.Arbitrary<unknown> {
  const all = [
    { database: 'db' },
    { database: 'db', prefix: 'OTHER_' },
    { store: 'files', bucket: 'uploads' },
    { store: 'archive', bucket: 'old', prefix: 'OLD_', when: { input: 'size', not: 'small' } },
  ];
  return fc.subarray(all);
}

function volumes(): fc.Arbitrary<unknown> {
  return fc.subarray([
    { path: '/data/' },
    { path: '/x/../y', size: '10Gi' },
    { path: ' /z ', when: { input: 'title' } },
  ]);
}

function tcp(index: number): fc.Arbitrary<unknown> {
  return fc.subarray([{ port: 22 }, { port: 23, host: 3000 + index }, { port: 24, host: String(4000 + index) }]);
}

function files(): fc.Arbitrary<unknown> {
  const path = fc.constantFrom('/etc/app.yaml', '/etc//b.yaml', '/opt/x');
  return fc.uniqueArray(some({ path, content: text, mode: fc.constant('0600') }, ['path', 'content']), {
    maxLength: 3,
    selector: (file) => file.path,
  });
}

function jobs(): fc.Arbitrary<unknown> {
  const command = fc.array(word, { minLength: 1, maxLength: 3 });
  const job = some(
    {
      command,
      name: fc.constant('set-up'),
      on: fc.constantFrom('install', 'update', 'always'),
      timeout: fc.constant(60),
      when,
    },
    ['command'],
  );
  return job.map((more) => [{ key: 'migrate', app: 'app0', depends_on: ['app0'], ...more }]);
}

function some(shape: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[] = []): fc.Arbitrary<Plain> {
  return fc.record(shape, { requiredKeys });
}

function list(of: fc.Arbitrary<unknown>): fc.Arbitrary<unknown[]> {
  return fc.array(of, { maxLength: 2 });
}

function spotsOf(value: unknown): { holder: object; key: string }[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => [{ holder: value, key }, ...spotsOf(inner)]);
}
