/**
 * Compares the installation of a template with direct calls of the Engine API for the same network, volume, files and
 * containers. The template has a PostgreSQL database and two apps that are attached to it. All images are present.
 * Pairs run in alternating order, each after everything of the previous one was removed. The removal is not measured on
 * either side.
 */

import type { Task } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import type { ContainerInspectInfo } from 'dockerode';
import { startInstance } from '../test/support/instance.ts';
import { belongingsOf } from '../test/support/instance-removal.ts';
import { done } from '../test/support/live-database.ts';
import { TEST_APP_PORT, testAppImage } from '../test/support/test-app-image.ts';
import { BareEngine } from './support/bare-engine.ts';
import { bareInstall, type InstallRecipe } from './support/bare-install.ts';
import { comparison, inPairs } from './support/pairs.ts';
import { conclude, formOf, median } from './support/result.ts';

const PAIRS = { short: 3, usual: 10, long: 20 };
const LIMIT = 1.5;
const WAITED = { wait: 'true' } as const;

const form = formOf();
await using instance = await startInstance();
const { client, docker } = instance;
const image = await testAppImage(docker);
using bare = new BareEngine();
const davitMs: number[] = [];
const bareMs: number[] = [];
const DAVIT = ['davit', davitMs] as const;
const BARE = ['bare', bareMs] as const;
const steps: Record<string, number[]> = {};
const laps: Record<string, number[]> = {};
let recipe: InstallRecipe | null = null;

const app = (key: string) => `
  - {key: ${key}, name: ${key}, image: ${image}, tag: v1, port: ${TEST_APP_PORT}, health: /health,
     attach: [{database: db}], limits: {memory: 256Mi}}`;
const file = `version: 1
name: Bench
minCubeship: "0.6.0"
project: bench
databases:
  - {key: db, name: book, engine: postgres, version: "15", limits: {memory: 256Mi}}
apps:${app('web')}${app('worker')}
`;

function addDuration(into: Record<string, number[]>, name: string, ms: number): void {
  into[name] = [...(into[name] ?? []), ms];
}

async function throughDavit(turn: number): Promise<void> {
  const project = `bench-${turn}`;
  const from = performance.now();
  const task = await done(client.installTemplateFile({ query: WAITED, body: { source: { file }, project } }));
  davitMs.push(performance.now() - from);
  await addSteps(task, project);
  recipe ??= await recipeOf(project);
  const body = { keep_data: false, confirm: `${project}/production` };
  await done(client.uninstallTemplate({ params: { install: task.subject.name }, query: WAITED, body }));
  const [trashed] = await client.listTrashedDatabases();
  await client.destroyDatabase({ params: { trashed: String(trashed?.id) }, query: { confirm: 'book' } });
  await until('all objects of the installation are removed', async () => {
    const { containers, networks, volumes } = await belongingsOf(docker, instance.id ?? '');
    const left = containers.filter(({ kind }) => kind === 'app' || kind === 'database');
    return left.length + networks.length + volumes.length === 0 ? true : null;
  });
}

/** Adds the durations of the steps of the installation, of the database's task, and of the deployments. */
async function addSteps(install: Task, project: string): Promise<void> {
  const subject = `${project}/production/book`;
  const [database] = await client.listTasks({ query: { subject } });
  const all = [
    ...install.steps,
    ...(database?.steps ?? []).map((step) => ({ ...step, name: `database: ${step.name}` })),
  ];
  for (const name of ['web', 'worker']) {
    const params = { project, environment: 'production', app: name };
    const [deployment] = await client.listDeployments({ params });
    for (const step of deployment?.steps ?? []) all.push({ ...step, name: `${name}: ${step.name}` });
  }
  for (const { name, started_at, finished_at } of all)
    addDuration(steps, name, Date.parse(finished_at ?? '') - Date.parse(started_at));
}

/** Returns the containers of an installation, so that the direct calls can create the same ones. */
async function recipeOf(project: string): Promise<InstallRecipe> {
  const { containers } = await belongingsOf(docker, instance.id ?? '');
  const inspect = (kind: string): Promise<ContainerInspectInfo[]> =>
    Promise.all(containers.filter((one) => one.kind === kind).map(({ id }) => docker.getContainer(id).inspect()));
  const [database] = await inspect('database');
  const apps = await inspect('app');
  if (database === undefined || apps.length !== 2) throw new Error(`${project}: expected one database and two apps`);
  return { database, apps, port: TEST_APP_PORT };
}

async function bareCalls(turn: number): Promise<void> {
  if (recipe === null) throw new Error('no template was installed before the direct calls');
  const found = await bareInstall(bare, `bench-${instance.id}-${turn}`, recipe);
  bareMs.push(found.ms);
  for (const [name, ms] of Object.entries(found.laps)) addDuration(laps, name, ms);
}

// The first runs are not counted, because they compile code and fill caches.
await throughDavit(0);
await bareCalls(0);
for (const list of [davitMs, bareMs, ...Object.values(steps), ...Object.values(laps)]) list.length = 0;
await inPairs(PAIRS[form], throughDavit, bareCalls, [DAVIT, BARE]);

const medians = (of: Record<string, number[]>) =>
  Object.fromEntries(Object.entries(of).map(([name, list]) => [name, Math.round(median(list))]));
await conclude(
  {
    name: 'template-install',
    promise: 'Installation of a template with a database and two apps, compared with direct Docker calls',
    ...comparison(LIMIT, DAVIT, BARE, {
      steps_median_ms: medians(steps),
      bare_calls_median_ms: medians(laps),
    }),
  },
  form,
);
