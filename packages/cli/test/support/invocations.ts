/**
 * Test invocations for every command, with the resources that the command needs. A command without an invocation fails
 * a test.
 */
import { app, deployedApp, paramsOf, project, signIn, slug, type TestDaemon, user } from '@davit/testkit';
import { DATA_INVOCATIONS } from './data-invocations.ts';
import type { Setup } from './davit.ts';
import { TEMPLATE_INVOCATIONS } from './template-invocations.ts';

export interface Invocation {
  /**
   * Creates the resources that the command needs. Called before each run. Returns the arguments after the name of the
   * command.
   */
  words: (ground: Setup) => readonly string[] | Promise<readonly string[]>;
  exit?: number;
  /** Returns the input on stdin. */
  input?: (ground: Setup) => string;
  /** Whether the command uses the stored credentials instead of the environment variables. */
  usesContexts?: boolean;
}

const nothing: Invocation = { words: () => [] };
const apps = { words: async ({ daemon }: Setup) => [(await app(daemon)).reference] } satisfies Invocation;
const live = { words: async ({ daemon }: Setup) => [(await deployedApp(daemon)).app.reference] } satisfies Invocation;

/** Returns an invocation whose first argument is a new app. `make` returns the other arguments. */
function ofApp(make: (ground: Setup, params: ReturnType<typeof paramsOf>) => Promise<readonly unknown[]>): Invocation {
  return {
    words: async (fixture) => {
      const made = await app(fixture.daemon);
      return [made.reference, ...(await make(fixture, paramsOf(made))).map(String)];
    },
  };
}

/** Returns an invocation whose first argument is a deployed app. `make` gets the ID of its newest deployment. */
function ofLive(
  make: (ground: Setup, params: ReturnType<typeof paramsOf>, deployment: number) => Promise<readonly unknown[]>,
): Invocation {
  return {
    words: async (fixture) => {
      const made = await deployedApp(fixture.daemon);
      const more = await make(fixture, paramsOf(made.app), made.deployment.id);
      return [made.app.reference, ...more.map(String)];
    },
  };
}

const schedule = ofLive(async ({ daemon }, params) => {
  const made = await daemon.client.createSchedule({ params, body: { cron: '@daily', command: ['true'] } });
  return [made.id];
});

/** Creates a user with a session. */
async function signedInUser({ daemon }: Setup): Promise<string> {
  const { username, password = '' } = await daemon.client.createUser({ body: { username: slug('u'), role: 'member' } });
  await signIn(daemon, { username, password });
  return username;
}

const aUser = { words: async (fixture: Setup) => [await signedInUser(fixture)] } satisfies Invocation;

async function ownKey({ daemon }: Setup): Promise<string> {
  const made = await daemon.call('POST', '/api/users/me/api-keys', { name: 'another' });
  return String((JSON.parse(made.text) as { id: number }).id);
}

/** Signs in as a new user, so that a later sign-out does not affect other invocations. */
async function contextNamed(name: string, { daemon, davit }: Setup): Promise<string> {
  const { key } = user(daemon, 'member');
  await davit.run(['login', daemon.url, '--name', name], {
    input: `${key}\n`,
    env: { DAVIT_URL: '', DAVIT_API_KEY: '' },
  });
  return name;
}

async function davitYaml({ daemon, davit }: Setup): Promise<string[]> {
  const name = await project(daemon);
  await davit.write('davit.yaml', `app: ${name}/production/web\nimage: example/web\ntag: v1\n`);
  return [];
}

export const INVOCATIONS: Record<string, Invocation> = {
  login: { words: ({ daemon }) => [daemon.url], input: ({ daemon }) => `${daemon.key}\n` },
  logout: { words: async (fixture) => ['--context', await contextNamed('gone', fixture)], usesContexts: true },
  status: nothing,
  up: { words: davitYaml },
  plan: { words: davitYaml },
  doctor: nothing,
  'instance recovery-key': nothing,
  'instance recover-key': { words: () => ['--data-dir', '/no/such/folder'], input: () => 'wrong\n', exit: 5 },
  // The file test/live/instance/uninstall.test.ts removes instances.
  'instance uninstall': { words: () => ['--dry-run', '--data-dir', '/no/such/folder'], exit: 5 },
  init: {
    words: async ({ davit }) => {
      await davit.remove('davit.yaml');
      return ['--app', 'a/production/b', '--image', 'acme/b'];
    },
  },
  open: live,
  events: { words: async (fixture) => [...(await apps.words(fixture)).slice(1), '-n', '1', '--after', '0'] },
  metrics: { words: () => ['-w', '6h'] },
  // It runs until Ctrl-C. The file tunnel.test.ts opens tunnels.
  tunnel: { words: () => ['no/such/db', '9000'], exit: 5 },
  completion: { words: () => ['bash'] },

  'project list': nothing,
  'project get': { words: async ({ daemon }) => [await project(daemon)] },
  'project create': { words: () => [slug('p')] },
  'project quota': { words: async ({ daemon }) => [await project(daemon)] },
  'project set-quota': {
    words: async ({ daemon }) => [await project(daemon), '--replicas', '5', '--memory', '8g', '--disk', 'none'],
  },
  'project delete': { words: async ({ daemon }) => [await project(daemon), '--yes'] },
  'environment list': { words: async ({ daemon }) => [await project(daemon)] },
  'environment create': { words: async ({ daemon }) => [`${await project(daemon)}/staging`] },
  'environment delete': {
    words: async ({ daemon }) => {
      const name = await project(daemon);
      await daemon.client.createEnvironment({ params: { project: name }, body: { slug: 'staging' } });
      return [`${name}/staging`, '--yes'];
    },
  },
  'environment promote': {
    words: async ({ daemon }) => {
      const { app: made } = await deployedApp(daemon);
      await daemon.client.createEnvironment({ params: { project: made.project }, body: { slug: 'next' } });
      await app(daemon, { project: made.project, environment: 'next', name: made.name });
      return [`${made.project}/next`, '--from', 'production'];
    },
  },

  'app list': { words: () => ['-l', 'tier=web'] },
  'app get': apps,
  'app create': {
    words: async ({ daemon }) => [`${await project(daemon)}/production/web`, '--image', 'acme/web', '--memory', '64m'],
  },
  'app set': ofApp(async () => ['--port', 'none', '--cpu', '0.5', '--label', 'tier=web']),
  'app deploy': ofApp(async () => ['--tag', 'v1']),
  'app rollback': ofLive(async ({ daemon }, params) => {
    await daemon.client.deployApp({ params, query: { wait: 'true' }, body: { tag: 'v2' } });
    return [];
  }),
  'app promote': ofApp(async ({ daemon }, params) => {
    const { project: inProject } = params;
    await daemon.client.createEnvironment({ params: { project: inProject }, body: { slug: 'next' } });
    const source = await deployedApp(daemon, { project: inProject, environment: 'next', name: params.app });
    return ['--from', source.app.reference];
  }),
  'app logs': { words: async (fixture) => [...(await live.words(fixture)), '--since', '1h', '-n', '5'] },
  'app run': ofLive(async () => ['--', 'echo', 'hello']),
  'app shell': { ...live, exit: 2 },
  'app restart': live,
  'app stop': live,
  'app start': ofLive(async ({ daemon }, params) => {
    await daemon.client.stopApp({ params, query: { wait: 'true' } });
    return [];
  }),
  'app scale': ofApp(async () => [2]),
  'app metrics': { words: async (fixture) => [...(await live.words(fixture)), '--traffic'] },
  'app delete': { words: async (fixture) => [...(await apps.words(fixture)), '-y'] },

  'env get': live,
  'env set': {
    words: async (fixture) => [...(await apps.words(fixture)), 'A=1', 'SECRET', '-s'],
    input: () => 'hidden\n',
  },
  'env unset': { words: async ({ daemon }) => [await project(daemon), 'A'] },
  'env import': {
    words: async ({ daemon, davit }) => {
      await davit.write('one.env', 'A=1\nB="2\n3"\n');
      return [await project(daemon), 'one.env'];
    },
  },
  'env export': {
    words: async ({ daemon, davit }) => {
      await davit.remove('written.env');
      return [await project(daemon), '-o', 'written.env'];
    },
  },
  'domain list': apps,
  'domain add': ofApp(async () => [`${slug('www')}.example`, '--protocol', 'h2c']),
  'domain get': ofApp(async ({ daemon }, params) => [await domain(daemon, params)]),
  'domain set': ofApp(async ({ daemon }, params) => [
    await domain(daemon, params),
    '--rate-limit',
    60,
    '--hsts',
    'none',
  ]),
  'domain remove': ofApp(async ({ daemon }, params) => {
    return [await domain(daemon, params), '--yes'];
  }),
  'volume list': { words: () => ['--sizes'] },
  'volume add': ofApp(async () => ['/data']),
  'volume remove': ofApp(async ({ daemon }, params) => [
    (await daemon.client.addVolume({ params, body: { path: '/data' } })).id,
    '-y',
  ]),
  'volume restore': { words: async (fixture) => [await volumeInTrash(fixture)] },
  'volume delete': { words: async (fixture) => [await volumeInTrash(fixture), '-y'] },
  'tcp-port list': apps,
  'tcp-port add': ofApp(async () => [5432]),
  'tcp-port remove': ofApp(async ({ daemon }, params) => [
    (await daemon.client.addTcpPort({ params, body: { container_port: 5432 } })).id,
    '-y',
  ]),

  'deployment list': live,
  'deployment get': ofLive(async (_, __, deployment) => [deployment]),
  'deployment follow': ofLive(async (_, __, deployment) => [deployment]),
  'deployment cancel': { ...ofLive(async (_, __, deployment) => [deployment]), exit: 6 },
  'deployment delete': ofLive(async ({ daemon }, params) => {
    // A failed deployment has no replicas that the deletion must wait for.
    const failed = await daemon.client.deployApp({ params, query: { wait: 'true' }, body: { tag: 'crash' } });
    return ['id' in failed ? failed.id : '', '--yes'];
  }),
  'release list': apps,
  'release delete': { ...ofApp(async () => ['v1', '--yes']), exit: 5 },
  'revision list': apps,
  'revision get': ofApp(async () => [1]),
  'revision compare': ofApp(async ({ daemon }, params) => {
    await daemon.client.patchApp({ params, body: { port: 3000 } });
    return [1];
  }),
  'revision restore': ofApp(async () => [1]),

  'schedule list': live,
  'schedule get': schedule,
  'schedule create': ofLive(async () => ['@daily', '--name', 'tidy', '--', 'true']),
  'schedule set': { words: async (fixture) => [...(await schedule.words(fixture)), '--enabled', 'no'] },
  'schedule run': schedule,
  'schedule runs': schedule,
  'schedule remove': { words: async (fixture) => [...(await schedule.words(fixture)), '-y'] },
  'runs list': live,
  'runs get': ofLive(async ({ daemon }, params) => {
    const run = await daemon.client.runInApp({ params, body: { command: ['true'] } });
    return [run.id];
  }),
  'runs cancel': {
    ...ofLive(async ({ daemon }, params) => [
      (await daemon.client.runInApp({ params, body: { command: ['true'] } })).id,
    ]),
    exit: 6,
  },

  'user list': nothing,
  'user get': aUser,
  'user create': { words: () => [slug('grace'), '--role', 'member'] },
  'user set': { words: async (fixture) => [...(await aUser.words(fixture)), '--role', 'viewer', '--block'] },
  'user keys': aUser,
  'user sessions': aUser,
  'user connections': aUser,
  'user revoke-key': {
    words: async ({ daemon }) => {
      const { username } = user(daemon, 'member');
      const [key] = await daemon.client.listUserKeys({ params: { user: username } });
      return [username, String(key?.id), '--yes'];
    },
  },
  'user end-session': {
    words: async (fixture) => {
      const username = await signedInUser(fixture);
      const [session] = await fixture.daemon.client.listUserSessions({ params: { user: username } });
      return [username, String(session?.id), '--yes'];
    },
  },
  'user end-connection': { words: async (fixture) => [...(await aUser.words(fixture)), '1', '--yes'], exit: 5 },
  'user delete': { words: async (fixture) => [...(await aUser.words(fixture)), '--yes'] },
  'key list': nothing,
  'key create': { words: () => ['ci', '--role', 'viewer', '--days', '3'] },
  'key rotate': { words: async (fixture) => [await ownKey(fixture)] },
  'key revoke': { words: async (fixture) => [await ownKey(fixture), '--yes'] },
  'audit list': { words: () => ['--since', '1d', '--outcome', 'ok', '-n', '5'] },
  'audit verify': nothing,
  'settings get': nothing,
  'settings set': { words: () => ['logs.days=14', 'images.keep=default'] },
  'cert list': nothing,
  'cert get': { words: () => ['1'], exit: 5 },
  'cert add': { words: pemFiles, exit: 2 },
  'cert replace': { words: async (fixture) => ['1', ...(await pemFiles(fixture))], exit: 5 },
  'cert renew': { words: () => ['1'], exit: 5 },
  'cert remove': { words: () => ['1', '--yes'], exit: 5 },
  'cert authority': nothing,
  'cert bind': { words: () => ['kid-1'], input: () => 'aGVsbG8\n' },
  'cert unbind': nothing,
  'dns-provider list': nothing,
  // The simulated engine runs no ACME client that can create DNS records.
  'dns-provider add': {
    words: () => [slug('dns'), 'cloudflare', 'CF_DNS_API_TOKEN', '-d', `${slug('d')}.example`, '--no-check'],
    input: () => 'CF_DNS_API_TOKEN=secret\n',
    exit: 6,
  },
  'dns-provider set': { words: () => ['1', '-d', 'example.com'], exit: 5 },
  'dns-provider remove': { words: () => ['1', '--yes'], exit: 5 },
  'registry get': nothing,
  'registry list': nothing,
  'registry collect': nothing,
  'registry delete': { words: async (fixture) => [...(await apps.words(fixture)), '--yes'], exit: 5 },
  // The result must not depend on an installed Docker client, so the registry does not exist.
  'registry login': { words: () => ['--address', 'registry.invalid'], exit: 1 },
  'credential list': nothing,
  'credential add': { words: () => [`${slug('r')}.example`, 'ada', '--no-check'], input: () => 'secret\n' },
  'credential set': { words: async (fixture) => [await credential(fixture), '--no-check'], input: () => 'another\n' },
  'credential remove': { words: async (fixture) => [await credential(fixture), '--yes'] },
  'image list': nothing,
  'image collect': nothing,
  'platform list': nothing,
  'platform check': nothing,
  'unrecorded list': nothing,
  'unrecorded adopt': { words: async ({ daemon }) => [await lostVolume(daemon), await project(daemon)] },
  'unrecorded delete': { words: async ({ daemon }) => [await lostVolume(daemon), '--yes'] },
  'template check': {
    words: async ({ davit }) => {
      await davit.write(
        'template.yaml',
        'version: 1\nproject: hello\napps:\n  - { key: web, image: acme/web, tag: v1 }\n',
      );
      return ['template.yaml'];
    },
  },
  'template import': {
    words: async ({ davit }) => {
      await davit.write('compose.yaml', 'services: { web: { image: "acme/web:v1", ports: ["80"] } }\n');
      return ['compose.yaml', '--project', 'hello'];
    },
  },
  ...DATA_INVOCATIONS,
  ...TEMPLATE_INVOCATIONS,

  // The instance of these tests is not in safe mode.
  'instance verify': { words: () => [], exit: 6 },
  'instance export': { words: () => ['rescued.db'], exit: 6 },
  'instance restore-state': {
    words: async ({ davit }) => {
      await davit.write('rescued.db', 'no database');
      return ['rescued.db', '--yes'];
    },
    exit: 6,
  },
  'instance resume': { words: () => [], exit: 6 },
  'context list': nothing,
  'context use': { words: async (fixture) => [await contextNamed('used', fixture)], usesContexts: true },
  'context remove': { words: async (fixture) => [await contextNamed('removed', fixture)], usesContexts: true },
};

/** Creates a volume in the engine that the instance has not recorded. */
async function lostVolume({ engine, client }: TestDaemon): Promise<string> {
  const { id } = await client.getInstance();
  lost += 1;
  const name = `davit-${id}-v${lost}`;
  await engine.ensureVolume(name, 'shop/production/web');
  return name;
}

let lost = 1_000;

async function volumeInTrash({ daemon }: Setup): Promise<string> {
  const params = paramsOf(await app(daemon));
  const { id, name } = await daemon.client.addVolume({ params, body: { path: '/data' } });
  await daemon.client.removeVolume({ params: { ...params, volume: String(id) }, query: { confirm: name } });
  return String(id);
}

async function domain(daemon: TestDaemon, params: ReturnType<typeof paramsOf>): Promise<string> {
  return (await daemon.client.addDomain({ params, body: { host: `${slug('www')}.example` } })).host;
}

/** Writes two files that contain no certificate and no key. */
async function pemFiles({ davit }: Setup): Promise<string[]> {
  await davit.write('chain.pem', 'no certificate');
  await davit.write('key.pem', 'no key');
  return ['chain.pem', 'key.pem'];
}

async function credential({ daemon }: Setup): Promise<string> {
  const body = { host: `${slug('r')}.example`, username: 'ada', password: 'secret' };
  return String((await daemon.client.addRegistry({ query: { check: 'false' }, body })).id);
}
