/** Test invocations of the commands for databases, backups, object stores and their tasks. */
import { app, deployedApp, paramsOf, project, slug } from '@davit/testkit';
import type { Setup } from './davit.ts';
import type { Invocation } from './invocations.ts';

const wait = { wait: 'true' } as const;

interface Made {
  reference: string;
  params: { project: string; environment: string; database: string };
}

async function database({ daemon }: Setup, location?: { project: string }): Promise<Made> {
  const params = {
    project: location?.project ?? (await project(daemon)),
    environment: 'production',
    database: slug('db'),
  };
  const { project: owner, environment, database: name } = params;
  await daemon.client.createDatabase({ query: wait, body: { project: owner, environment, name, engine: 'postgres' } });
  return { reference: `${owner}/${environment}/${name}`, params };
}

/** Returns an invocation whose first argument is a new database. `make` returns the other arguments. */
function ofDatabase(make: (ground: Setup, made: Made) => Promise<readonly unknown[]> | readonly unknown[]): Invocation {
  return {
    words: async (fixture) => {
      const made = await database(fixture);
      return [made.reference, ...(await make(fixture, made)).map(String)];
    },
  };
}

const aDatabase = ofDatabase(() => []);

async function trashed(fixture: Setup): Promise<string> {
  const { params } = await database(fixture);
  const gone = await fixture.daemon.client.deleteDatabase({ params, query: { confirm: params.database } });
  return String(gone.id);
}

/** Invocation with a new database and an app in the same environment. */
const withApp: Invocation = ofDatabase(async ({ daemon }, { params }) => [
  (await app(daemon, { project: params.project })).reference,
]);

async function backup(fixture: Setup): Promise<string> {
  const { params } = await database(fixture);
  await fixture.daemon.client.backUpDatabase({ params, query: wait });
  const [made] = await fixture.daemon.client.listDatabaseBackups({ params });
  return String(made?.id);
}

/** URL to which no connection is possible. */
const NOWHERE = 'http://127.0.0.1:1';

async function store({ daemon }: Setup): Promise<string> {
  const name = slug('s3');
  const body = {
    ...{ name, provider: 'generic' as const, endpoint: NOWHERE, region: 'local' },
    ...{ access_key: 'access', secret_key: 'a secret key'.replaceAll(' ', '-') },
  };
  await daemon.client.linkObjectStore({ query: { check: 'false' }, body });
  return name;
}

function ofStore(...more: readonly string[]): Invocation {
  return { words: async (fixture) => [await store(fixture), ...more] };
}

async function task(fixture: Setup): Promise<string> {
  const { reference } = await database(fixture);
  const [made] = await fixture.daemon.client.listTasks({ query: { subject: reference } });
  return String(made?.id);
}
const aTask: Invocation = { words: async (fixture) => [await task(fixture)] };
const aBackup: Invocation = { words: async (fixture) => [await backup(fixture)] };

export const DATA_INVOCATIONS: Record<string, Invocation> = {
  'task list': { words: () => ['--open'] },
  'task get': aTask,
  'task follow': aTask,
  'task cancel': { ...aTask, exit: 6 },

  'database engines': { words: () => [] },
  'database list': { words: () => ['--trash'] },
  'database get': aDatabase,
  'database create': {
    words: async ({ daemon }) => [
      `${await project(daemon)}/production/db`,
      'postgres',
      '-e',
      'citext',
      '--memory',
      '64m',
    ],
  },
  'database set': ofDatabase(() => ['--description', 'orders', '--cpu', '0.5', '--memory', 'none']),
  'database start': ofDatabase(async ({ daemon }, { params }) => {
    await daemon.client.stopDatabase({ params, query: wait });
    return [];
  }),
  'database stop': aDatabase,
  'database restart': aDatabase,
  'database expose': aDatabase,
  'database credentials': aDatabase,
  /*
   * `davit database shell` prints the output of the client program, which is not JSON. The database is stopped, so the
   * command fails with a JSON error.
   */
  'database shell': {
    ...ofDatabase(async ({ daemon }, { params }) => {
      await daemon.client.stopDatabase({ params, query: wait });
      return [];
    }),
    exit: 6,
  },
  'database logs': ofDatabase(() => ['-n', '5']),
  'database metrics': aDatabase,
  'database attach': withApp,
  'database detach': ofDatabase(async ({ daemon }, { params }) => {
    const { app: made } = await deployedApp(daemon, { project: params.project });
    await daemon.client.attachDatabase({ params: { ...params, app: made.name }, body: {} });
    return [made.reference];
  }),
  'database rotate': aDatabase,
  'database add-extension': ofDatabase(() => ['citext']),
  'database clone': ofDatabase((_, { params }) => [`${params.project}/production/${slug('copy')}`]),
  'database upgrade': { ...ofDatabase(() => ['15', '--yes']) },
  'database restore-to': {
    ...ofDatabase((_, { params }) => ['2030-01-31T12:00:00Z', `${params.project}/production/${slug('then')}`]),
    exit: 6,
  },
  'database delete': ofDatabase(() => ['--yes']),
  'database restore': { words: async (fixture) => [await trashed(fixture)] },
  'database destroy': { words: async (fixture) => [await trashed(fixture), '--yes'] },

  'backup list': { words: () => [] },
  'backup get': aBackup,
  'backup take': ofDatabase(() => ['--to', 'disk']),
  'backup coverage': { words: () => [] },
  'backup restore': { words: async (fixture) => [await backup(fixture), '--in-place', '--yes'] },
  'backup verify': aBackup,
  'backup download': aBackup,
  'backup delete': { words: async (fixture) => [await backup(fixture), '--yes'] },
  'backup schedule': ofDatabase(async ({ daemon }, { params }) => {
    await daemon.client.putBackupSchedule({ params, body: { cron: '0 0 29 2 *' } });
    return [];
  }),
  'backup set-schedule': ofDatabase(() => ['0 0 29 2 *', '--keep', '3', '--verify-every', '7']),
  'backup remove-schedule': ofDatabase(async ({ daemon }, { params }) => {
    await daemon.client.putBackupSchedule({ params, body: { cron: '0 0 29 2 *' } });
    return [];
  }),

  'object-store list': { words: () => [] },
  'object-store providers': { words: () => [] },
  'object-store get': ofStore(),
  // No server responds at this URL, and an object store is linked only if the connection works.
  'object-store link': {
    words: () => [slug('s3'), 'generic', 'access', '--endpoint', NOWHERE, '--region', 'local'],
    input: () => 'a-secret-key\n',
    exit: 6,
  },
  'object-store create': { words: async ({ daemon }) => [`${await project(daemon)}/production`, slug('files')] },
  'object-store start': { ...ofStore(), exit: 6 },
  'object-store stop': { ...ofStore(), exit: 6 },
  'object-store expose': { ...ofStore(), exit: 6 },
  'object-store set': ofStore('--description', 'of the shop', '--path-style', 'yes', '--no-check'),
  'object-store restore': { ...ofStore(), exit: 6 },
  'object-store check': { ...ofStore(), exit: 1 },
  'object-store credentials': ofStore(),
  'object-store delete': ofStore('--yes'),
  'object-store buckets': { ...ofStore(), exit: 9 },
  'object-store create-bucket': { ...ofStore('uploads'), exit: 9 },
  'object-store delete-bucket': { ...ofStore('uploads', '--yes'), exit: 9 },
  'object-store objects': { ...ofStore('uploads'), exit: 9 },
  'object-store presign': ofStore('uploads', 'ship.jpg'),
  'object-store delete-folder': { ...ofStore('uploads', 'pictures/', '--yes'), exit: 9 },
  'object-store delete-object': { ...ofStore('uploads', 'ship.jpg', '--yes'), exit: 9 },
  'object-store attach': {
    words: async (fixture) => [await store(fixture), 'uploads', (await app(fixture.daemon)).reference],
  },
  'object-store detach': {
    words: async (fixture) => {
      const made = await app(fixture.daemon);
      const name = await store(fixture);
      const params = { object_store: name, bucket: 'uploads', ...paramsOf(made) };
      await fixture.daemon.client.attachBucket({ params, body: {} });
      return [name, 'uploads', made.reference];
    },
  },
};
