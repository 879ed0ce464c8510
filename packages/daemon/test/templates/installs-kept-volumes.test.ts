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
  fail,
  newest,
  previewUpdate,
  requestInstall,
  requestUninstall,
  requestUpdate,
  succeed,
} from '../support/install-steps.ts';
import { TaskHarness } from '../support/task-harness.ts';

const HEAD = 'version: 1\nproject: shop\nenvironment: production\nminCubeship: ">=0.9.0"\napps:\n';
const app = (key: string, tag: string, volumes = '') =>
  `  - {key: ${key}, image: acme/${key}, tag: "${tag}", port: 80${volumes && `, volumes: [{path: ${volumes}}]`}}\n`;
const ONE = `${HEAD}${app('web', '1')}`;
const UPLOADS = `${HEAD}${app('web', '2', '/uploads')}`;
const WORDPRESS = `${HEAD}${app('web', '2')}${app('wordpress', '1', '/data')}`;
const ADOPT: z.input<typeof TemplateUpdate> = { adopt: { volumes: true } };

const failing = (harness: TaskHarness) =>
  harness.engine.controls.fail('start', { error: new EngineRefused('start container: port 80 is in use') });

/** Returns the state and the installation of each volume, in the order of creation. */
function volumes({ core }: TaskHarness): string[] {
  const rows = listVolumes(core.store, null).sort((a, b) => a.id - b.id);
  return rows.map(({ path, state, install_id }) => `${path} ${state} ${install_id}`);
}

const previewedVolumes = async (harness: Asking, file: string) =>
  (
    await previewUpdate(harness.core, harness.ctx, newest(harness), { file, inputs: {}, keep_removed: false })
  ).kept_volumes.map(({ app: reference, path, requires_adopt }) => `${reference} ${path} ${requires_adopt}`);

function appOf({ core }: TaskHarness, name: string): AppTarget {
  const row = appBySlugs(core.store, 'shop', 'production', name);
  assert.ok(row);
  return appTarget(row);
}

/** Deletes an app that was created manually. Its volume is kept. */
async function withHandmade(): Promise<TaskHarness> {
  const harness = await TaskHarness.make();
  const { core, ctx } = harness;
  const input = {
    project: 'shop',
    environment: 'production',
    name: 'wordpress',
    source: 'image',
    image: 'acme/own',
    port: 80,
  };
  createApp(core, ctx, AppCreate.parse(input));
  await addVolume(core, ctx, appOf(harness, 'wordpress'), { path: '/data' });
  await deleteApp(core, ctx, appOf(harness, 'wordpress'));
  await succeed(harness, await requestInstall(harness, ONE, {}));
  return harness;
}

/** Installs a template with a volume, uninstalls it, and installs a release without the volume. */
async function withEarlierInstall(): Promise<TaskHarness> {
  const harness = await TaskHarness.make();
  await succeed(harness, await requestInstall(harness, UPLOADS, {}));
  await succeed(harness, await requestUninstall(harness));
  await succeed(harness, await requestInstall(harness, ONE, {}));
  return harness;
}

describe('an update', () => {
  it('does not use the kept volume of a manually created app with the same address', async () => {
    await using harness = await withHandmade();
    assert.deepEqual(await previewedVolumes(harness, WORDPRESS), ['shop/production/wordpress /data true']);
    await succeed(harness, await requestUpdate(harness, WORDPRESS));
    assert.deepEqual(volumes(harness), ['/data kept null', '/data used 1']);
  });

  it('uses the kept volume of a manually created app if the user consents', async () => {
    await using harness = await withHandmade();
    await succeed(harness, await requestUpdate(harness, WORDPRESS, ADOPT));
    assert.deepEqual(volumes(harness), ['/data used 1']);
  });

  it('that fails returns the volume that a new app adopted', async () => {
    await using harness = await withHandmade();
    failing(harness);
    await fail(harness, await requestUpdate(harness, WORDPRESS, ADOPT));
    assert.deepEqual(volumes(harness), ['/data kept null']);
  });

  it('does not use the kept volume of an earlier installation', async () => {
    await using harness = await withEarlierInstall();
    await succeed(harness, await requestUpdate(harness, UPLOADS));
    assert.deepEqual(volumes(harness), ['/uploads kept 1', '/uploads used 2']);
  });

  it('that fails returns the volume that a changed app adopted', async () => {
    await using harness = await withEarlierInstall();
    failing(harness);
    await fail(harness, await requestUpdate(harness, UPLOADS, ADOPT));
    await harness.reconcile();
    assert.deepEqual(volumes(harness), ['/uploads kept 1']);
  });

  it('uses the volume of an app from an earlier release of the installation', async () => {
    await using harness = await TaskHarness.make();
    await succeed(harness, await requestInstall(harness, WORDPRESS, {}));
    await succeed(harness, await requestUpdate(harness, ONE));
    assert.deepEqual(volumes(harness), ['/data kept 1']);
    assert.deepEqual(await previewedVolumes(harness, WORDPRESS), ['shop/production/wordpress /data false']);
    await succeed(harness, await requestUpdate(harness, WORDPRESS));
    assert.deepEqual(volumes(harness), ['/data used 1']);
  });

  it('does not show volumes of other projects in its preview', async () => {
    await using harness = await withHandmade();
    const ctx = { ...harness.ctx, actor: { ...harness.ctx.actor, projects: [] } };
    assert.deepEqual(await previewedVolumes({ core: harness.core, ctx }, WORDPRESS), []);
  });
});

describe('an installation that fails', () => {
  it('returns the volume that the installation adopted', async () => {
    await using harness = await TaskHarness.make();
    await succeed(harness, await requestInstall(harness, UPLOADS, {}));
    await succeed(harness, await requestUninstall(harness));
    failing(harness);
    await fail(harness, await requestInstall(harness, UPLOADS, ADOPT));
    assert.deepEqual(volumes(harness), ['/uploads kept 1']);
  });
});

describe('an uninstallation that deletes the data', () => {
  const DELETE = { keep_data: false, confirm: 'shop/production' };

  it('deletes no volume that an earlier installation kept', async () => {
    await using harness = await TaskHarness.make();
    await succeed(harness, await requestInstall(harness, UPLOADS, {}));
    await succeed(harness, await requestUninstall(harness));
    await succeed(harness, await requestInstall(harness, UPLOADS, {}));
    await succeed(harness, await requestUninstall(harness, DELETE));
    assert.deepEqual(volumes(harness), ['/uploads kept 1', '/uploads trash 2']);
  });

  it('deletes volumes of previously deleted apps and volumes that a user added', async () => {
    await using harness = await TaskHarness.make();
    const { core, ctx } = harness;
    await succeed(harness, await requestInstall(harness, `${UPLOADS}${app('wordpress', '1', '/data')}`, {}));
    await deleteApp(core, ctx, appOf(harness, 'web'));
    await addVolume(core, ctx, appOf(harness, 'wordpress'), { path: '/more' });
    await succeed(harness, await requestUninstall(harness, DELETE));
    assert.deepEqual(volumes(harness), ['/uploads trash 1', '/data trash 1', '/more trash 1']);
  });
});
