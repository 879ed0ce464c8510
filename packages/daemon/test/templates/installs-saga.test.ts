/** All kinds of installation tasks at every step: run twice, failing, interrupted by a crash, canceled. */

import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import { appTarget } from '../../src/app-spec/app-target.ts';
import { appsOfProject } from '../../src/db/tables/app.ts';
import { namedAttachmentsOfApp } from '../../src/db/tables/attachment.ts';
import { domainsOfApp } from '../../src/db/tables/domain.ts';
import { environmentsOfProject } from '../../src/db/tables/environment.ts';
import { allDatabases } from '../../src/db/tables/managed-database.ts';
import { listProjects } from '../../src/db/tables/project.ts';
import { tcpPortsOfApp } from '../../src/db/tables/tcp-port.ts';
import { listInstalls, resourcesOf } from '../../src/db/tables/template-install.ts';
import { listVolumes, type VolumeRow, volumesOfApp } from '../../src/db/tables/volume.ts';
import { levelAsFound } from '../../src/resources/variables/variables.ts';
import {
  fail,
  requestInstall,
  requestRetry,
  requestRollback,
  requestUninstall,
  requestUpdate,
  succeed,
} from '../support/install-steps.ts';
import { TaskHarness } from '../support/task-harness.ts';
import { taskMatrix } from '../support/task-matrix.ts';

const FILE = (tag: string, limit: string, more: string) => `version: 1
project: notes
environment: staging
minCubeship: ">=0.9.0"
inputs:
  - {key: domain, type: domain, label: Domain}
  - {key: first, type: domain, label: First}
  - {key: second, type: domain, label: Second}
  - {key: secret, type: secret, label: Secret, generate: 32}
databases:
  - {key: db, engine: postgres, limits: {memory: ${limit}}}
apps:
  - key: web
    image: registry.test/acme/notes
    tag: "${tag}"
    port: 8080
    domains: [{host: "\${input.domain}"}, {host: "\${input.${tag === '1.0' ? 'first' : 'second'}}"}]
    attach: [{database: db${tag === '1.0' ? '' : ', prefix: MAIN_'}}]
    volumes: [{path: /data}, {path: /more/${tag}}]
    tcp: [{port: ${tag === '1.0' ? 22 : 23}}]
    env: {SECRET: "\${input.secret}", RELEASE: "${tag}", DATABASE: "\${db.db.host}"}
${more}`;

const FIRST = FILE('1.0', '256Mi', '  - {key: worker, image: registry.test/acme/worker, tag: "1.0", port: 9000}\n');
const SECOND = FILE(
  '2.0',
  '512Mi',
  '  - {key: cron, image: registry.test/acme/cron, tag: "2.0", port: 9000, attach: [{database: db, prefix: MAIN_}]}\n',
);

const HOW = {
  inputs: { domain: 'notes.example.com', first: 'first.example.com', second: 'second.example.com' },
};

const requestFirstRelease = (harness: TaskHarness) => requestInstall(harness, FIRST, HOW);

async function installed(): Promise<TaskHarness> {
  const harness = await TaskHarness.make();
  await succeed(harness, await requestFirstRelease(harness));
  return harness;
}

/** Returns an installation that failed after its apps were created, and that was kept for a retry. */
async function failed(): Promise<TaskHarness> {
  const harness = await TaskHarness.make();
  harness.engine.controls.fail('start', { error: new EngineRefused('start container: port 80 is in use') });
  await fail(harness, await requestInstall(harness, FIRST, { ...HOW, keep_failed: true }));
  return harness;
}

/** Returns everything that an installation may change, without values that differ between runs. */
async function snapshot({ core, engine }: TaskHarness): Promise<object> {
  const { store } = core;
  const projects = listProjects(store, null);
  const apps = projects.flatMap(({ id }) => appsOfProject(store, id)).map(appTarget);
  const live = new Set(apps.map(({ reference }) => reference));
  const containers = engine.controls.containers();
  /*
   * A volume that a failed update added and that a retiring release still has is removed automatically once the release
   * is removed.
   */
  const isRetiring = ({ path, state }: VolumeRow) => path === '/more/2.0' && state === 'trash';
  const retiring = listVolumes(store, null).filter(isRetiring);
  const volumes = listVolumes(store, null).filter((row) => !isRetiring(row));
  return {
    projects: projects.map(({ id, slug }) => [slug, environmentsOfProject(store, id).map((row) => row.slug)]),
    apps: apps
      .map(({ id, reference, spec, liveTag }) => ({
        ...{ reference, liveTag, image: `${spec.image}:${spec.tag}`, limits: spec.limits },
        variables: [...levelAsFound(core, store, { level: 'app', id })].map(([key, { value, secret }]) =>
          secret ? [key, value.length, secret] : [key, value, secret],
        ),
        domains: domainsOfApp(store, id).map(({ host }) => host),
        volumes: volumesOfApp(store, id).map(({ path }) => path),
        // The published port depends on the programs that listen on this machine.
        ports: tcpPortsOfApp(store, id).map(({ container_port }) => container_port),
        attachments: namedAttachmentsOfApp(store, id).map(({ name, prefix }) => [name, prefix]),
      }))
      .sort((a, b) => (a.reference < b.reference ? -1 : 1)),
    databases: allDatabases(store).map((row) => [
      row.project,
      row.name,
      row.state,
      row.memory_bytes,
      row.deleted_at !== null,
    ]),
    volumes: volumes.map(({ app, path, state }) => [app, path, state]),
    resources: listInstalls(store)
      .flatMap(({ id }) => resourcesOf(store, id))
      .filter(({ state }) => state !== 'used')
      .map(({ kind, name, state }) => [kind, name, state])
      .sort(),
    orphans: containers.filter(({ kind, app }) => kind === 'app' && !live.has(app)).length,
    atEngine: (await engine.volumes())
      .filter(({ name }) => !retiring.some((volume) => volume.name === name))
      .map(({ owner }) => owner)
      .sort(),
  };
}

const STEPS = ['project', 'environment', 'databases', 'apps', 'variables', 'deploy'];
const CHANGES = ['compare', 'databases', 'object_stores', 'apps', 'variables', 'deploy', 'remove'];
const REMOVES = ['apps', 'databases', 'object_stores', 'environment', 'project'];

const toSecond = (harness: TaskHarness) => requestUpdate(harness, SECOND);

taskMatrix('installing a template', {
  kind: 'install.install',
  steps: STEPS,
  prepare: () => TaskHarness.make(),
  ask: requestFirstRelease,
  snapshot,
});

taskMatrix('updating an installation', {
  kind: 'install.update',
  steps: CHANGES,
  final: ['remove'],
  prepare: installed,
  ask: toSecond,
  snapshot,
});

taskMatrix('going back to the release before', {
  kind: 'install.rollback',
  steps: CHANGES,
  final: ['remove'],
  prepare: async () => {
    const harness = await installed();
    await succeed(harness, await toSecond(harness));
    return harness;
  },
  ask: requestRollback,
  snapshot,
});

taskMatrix('uninstalling, with its data kept', {
  kind: 'install.uninstall',
  steps: REMOVES,
  final: ['apps'],
  prepare: installed,
  ask: (harness) => requestUninstall(harness),
  snapshot,
});

taskMatrix('uninstalling, with its data in the trash', {
  kind: 'install.uninstall',
  steps: REMOVES,
  final: ['apps'],
  prepare: installed,
  ask: (harness) => requestUninstall(harness, { keep_data: false, confirm: 'notes/staging' }),
  snapshot,
});

taskMatrix('taking up an installation that failed', {
  kind: 'install.install',
  steps: STEPS,
  // The kept resources stay, whatever the result of this task.
  final: ['project'],
  prepare: failed,
  ask: requestRetry,
  snapshot,
});
