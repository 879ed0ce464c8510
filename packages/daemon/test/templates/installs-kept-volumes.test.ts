/** Kept volumes, and the installations that use them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppCreate, type TemplateUpdate } from '@davit/api';
import type { z } from 'zod';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import { type AppTarget, appTarget } from '../../src/app-spec/app-target.ts';
import { appBySlugs } from '../../src/db/tables/app.ts';
import { listVolumes } from '../../src/db/tables/volume.ts';
import { createApp, deleteApp } from '../../src/resources/apps/settings.ts';
import { addVolume } from '../../src/resources/volumes/volume.ts';
import {
  type Asking,
  askInstall,
  askUninstall,
  askUpdate,
  fail,
  newest,
  previewUpdate,
  succeed,
} from '../support/install-steps.ts';
import { TaskWorld } from '../support/task-world.ts';

const HEAD = 'version: 1\nproject: shop\nenvironment: production\nminCubeship: ">=0.9.0"\napps:\n';
const app = (key: string, tag: string, volumes = '') =>
  `  - {key: ${key}, image: acme/${key}, tag: "${tag}", port: 80${volumes && `, volumes: [{path: ${volumes}}]`}}\n`;
const ONE = `${HEAD}${app('web', '1')}`;
const UPLOADS = `${HEAD}${app('web', '2', '/uploads')}`;
const WORDPRESS = `${HEAD}${app('web', '2')}${app('wordpress', '1', '/data')}`;
const ADOPT: z.input<typeof TemplateUpdate> = { adopt: { volumes: true } };

const failing = (world: TaskWorld) =>
  world.engine.controls.fail('start', { error: new EngineRefused('start container: port 80 is in use') });

/** Returns the state and the installation of each volume, in the order of creation. */
function volumes({ core }: TaskWorld): string[] {
  const rows = listVolumes(core.store, null).sort((a, b) => a.id - b.id);
  return rows.map(({ path, state, install_id }) => `${path} ${state} ${install_id}`);
}

const told = async (world: Asking, file: string) =>
  (await previewUpdate(world.core, world.ctx, newest(world), { file, inputs: {}, remove: true })).kept_volumes.map(
    ({ app: reference, path, requires_adopt }) => `${reference} ${path} ${requires_adopt}`,
  );

function appOf({ core }: TaskWorld, name: string): AppTarget {
  const row = appBySlugs(core.store, 'shop', 'production', name);
  assert.ok(row);
  return appTarget(row);
}

/** Deletes a handmade app, whose volume is kept. */
async function withHandmade(): Promise<TaskWorld> {
  const world = await TaskWorld.make();
  const { core, ctx } = world;
  const asked = {
    project: 'shop',
    environment: 'production',
    name: 'wordpress',
    source: 'image',
    image: 'acme/own',
    port: 80,
  };
  createApp(core, ctx, AppCreate.parse(asked));
  await addVolume(core, ctx, appOf(world, 'wordpress'), { path: '/data' });
  await deleteApp(core, ctx, appOf(world, 'wordpress'));
  await succeed(world, await askInstall(world, ONE, {}));
  return world;
}

/** Installs a template with a volume, uninstalls it, and installs a release without the volume. */
async function withEarlierInstall(): Promise<TaskWorld> {
  const world = await TaskWorld.make();
  await succeed(world, await askInstall(world, UPLOADS, {}));
  await succeed(world, await askUninstall(world));
  await succeed(world, await askInstall(world, ONE, {}));
  return world;
}

describe('an update', () => {
  it('does not use the kept volume of a handmade app with the same address', async () => {
    await using world = await withHandmade();
    assert.deepEqual(await told(world, WORDPRESS), ['shop/production/wordpress /data true']);
    await succeed(world, await askUpdate(world, WORDPRESS));
    assert.deepEqual(volumes(world), ['/data kept null', '/data used 1']);
  });

  it('uses the kept volume of a handmade app if the user consents', async () => {
    await using world = await withHandmade();
    await succeed(world, await askUpdate(world, WORDPRESS, ADOPT));
    assert.deepEqual(volumes(world), ['/data used 1']);
  });

  it('that fails returns the volume that a new app adopted', async () => {
    await using world = await withHandmade();
    failing(world);
    await fail(world, await askUpdate(world, WORDPRESS, ADOPT));
    assert.deepEqual(volumes(world), ['/data kept null']);
  });

  it('does not use the kept volume of an earlier installation', async () => {
    await using world = await withEarlierInstall();
    await succeed(world, await askUpdate(world, UPLOADS));
    assert.deepEqual(volumes(world), ['/uploads kept 1', '/uploads used 2']);
  });

  it('that fails returns the volume that a changed app adopted', async () => {
    await using world = await withEarlierInstall();
    failing(world);
    await fail(world, await askUpdate(world, UPLOADS, ADOPT));
    await world.reconcile();
    assert.deepEqual(volumes(world), ['/uploads kept 1']);
  });

  it('uses the volume of an app from an earlier release of the installation', async () => {
    await using world = await TaskWorld.make();
    await succeed(world, await askInstall(world, WORDPRESS, {}));
    await succeed(world, await askUpdate(world, ONE));
    assert.deepEqual(volumes(world), ['/data kept 1']);
    assert.deepEqual(await told(world, WORDPRESS), ['shop/production/wordpress /data false']);
    await succeed(world, await askUpdate(world, WORDPRESS));
    assert.deepEqual(volumes(world), ['/data used 1']);
  });

  it('does not show volumes of other projects in its preview', async () => {
    await using world = await withHandmade();
    const ctx = { ...world.ctx, actor: { ...world.ctx.actor, projects: [] } };
    assert.deepEqual(await told({ core: world.core, ctx }, WORDPRESS), []);
  });
});

describe('an installation that fails', () => {
  it('returns the volume that the installation adopted', async () => {
    await using world = await TaskWorld.make();
    await succeed(world, await askInstall(world, UPLOADS, {}));
    await succeed(world, await askUninstall(world));
    failing(world);
    await fail(world, await askInstall(world, UPLOADS, ADOPT));
    assert.deepEqual(volumes(world), ['/uploads kept 1']);
  });
});

describe('an uninstallation that deletes the data', () => {
  const DELETE = { keep_data: false, confirm: 'shop/production' };

  it('deletes no volume that an earlier installation kept', async () => {
    await using world = await TaskWorld.make();
    await succeed(world, await askInstall(world, UPLOADS, {}));
    await succeed(world, await askUninstall(world));
    await succeed(world, await askInstall(world, UPLOADS, {}));
    await succeed(world, await askUninstall(world, DELETE));
    assert.deepEqual(volumes(world), ['/uploads kept 1', '/uploads trash 2']);
  });

  it('deletes volumes of previously deleted apps and volumes that a user added', async () => {
    await using world = await TaskWorld.make();
    const { core, ctx } = world;
    await succeed(world, await askInstall(world, `${UPLOADS}${app('wordpress', '1', '/data')}`, {}));
    await deleteApp(core, ctx, appOf(world, 'web'));
    await addVolume(core, ctx, appOf(world, 'wordpress'), { path: '/more' });
    await succeed(world, await askUninstall(world, DELETE));
    assert.deepEqual(volumes(world), ['/uploads trash 1', '/data trash 1', '/more trash 1']);
  });
});
