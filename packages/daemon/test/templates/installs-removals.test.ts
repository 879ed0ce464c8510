/** Updates that remove apps, and apps that a user deletes without an update. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkTemplate } from '@davit/template';
import { deleteApp } from '../../src/resources/apps/settings.ts';
import { startInstallTask } from '../../src/resources/templates/install/actions.ts';
import { appOf } from '../../src/resources/templates/install/apps.ts';
import { presentInstall } from '../../src/resources/templates/install/present.ts';
import { recordIn } from '../../src/resources/templates/install/record.ts';
import type { UpdateInput } from '../../src/resources/templates/install/update-kind.ts';
import { sha256Of } from '../../src/resources/templates/manifest/same.ts';
import {
  fail,
  newest,
  previewUpdate,
  requestInstall,
  requestRollback,
  requestUninstall,
  requestUpdate,
  succeed,
} from '../support/install-steps.ts';
import { TaskHarness } from '../support/task-harness.ts';

const file = (tag: string, ...names: string[]) => `version: 1
project: notes
apps:
${names.map((name) => `  - {key: ${name}, image: acme/${name}, tag: "${tag}", port: 80}\n`).join('')}`;

async function installed(): Promise<TaskHarness> {
  const harness = await TaskHarness.make();
  await succeed(harness, await requestInstall(harness, file('1', 'web', 'worker', 'mail'), {}));
  return harness;
}

const tagOf = ({ core }: TaskHarness, name: string) => appOf(core, `notes/production/${name}`).liveTag;
const appsOf = (harness: TaskHarness) =>
  presentInstall(harness.core, newest(harness))
    .resources.filter(({ kind }) => kind === 'app')
    .map(({ name }) => name)
    .sort();

describe('an update that removes apps', () => {
  it('is refused and changes nothing unless the request names every removed app', async () => {
    await using harness = await installed();
    for (const remove of [[], ['worker'], ['worker', 'web']]) {
      const refused = { code: 'conflict', message: /^remove: .* would remove .*mail without a confirmation/ };
      await assert.rejects(requestUpdate(harness, file('2', 'web'), { remove }), refused);
    }
    assert.deepEqual([tagOf(harness, 'web'), appsOf(harness)], ['1', ['mail', 'web', 'worker']]);

    await succeed(harness, await requestUpdate(harness, file('2', 'web'), { remove: ['mail', 'worker'] }));
    assert.deepEqual([tagOf(harness, 'web'), appsOf(harness)], ['2', ['web']]);
  });

  it('keeps the apps without a confirmation if the request says so, as the preview shows', async () => {
    await using harness = await installed();
    const request = { file: file('2', 'web'), inputs: {}, keep_removed: true };
    const { changes } = await previewUpdate(harness.core, harness.ctx, newest(harness), request);
    assert.deepEqual(
      changes.map(({ action, name }) => `${action} ${name}`),
      ['change web', 'keep worker', 'keep mail'],
    );
    await succeed(harness, await requestUpdate(harness, file('2', 'web'), { keep_removed: true, remove: [] }));
    assert.deepEqual([tagOf(harness, 'web'), appsOf(harness)], ['2', ['mail', 'web', 'worker']]);
  });

  it('fails before its first change if it would remove another app than at the time of the request', async () => {
    await using harness = await installed();
    const row = newest(harness);
    const { manifest } = checkTemplate(file('2', 'web'));
    assert.ok(manifest);
    const record = recordIn(harness.core, row);
    const next = { ...record, manifest, origin: { ...record.origin, sha256: sha256Of(manifest) } };
    const input: UpdateInput = { install: row.id, next, remove: ['worker'], keepFailed: true };

    const { id } = await startInstallTask(harness.core, harness.ctx, 'install.update', row, input, false);

    assert.match(await fail(harness, id), /would remove mail without a confirmation/);
    assert.deepEqual([tagOf(harness, 'web'), appsOf(harness)], ['1', ['mail', 'web', 'worker']]);
  });

  it('can be rolled back, which removes the apps that the update added', async () => {
    await using harness = await installed();
    await succeed(harness, await requestUpdate(harness, file('2', 'web', 'worker', 'mail', 'cron')));
    await succeed(harness, await requestRollback(harness));
    assert.deepEqual([tagOf(harness, 'web'), appsOf(harness)], ['1', ['mail', 'web', 'worker']]);
  });
});

describe('an app that a user deleted', () => {
  it('is not a resource of the installation any more, and its removal needs no confirmation', async () => {
    await using harness = await installed();
    await deleteApp(harness.core, harness.ctx, appOf(harness.core, 'notes/production/worker'));
    assert.deepEqual(appsOf(harness), ['mail', 'web']);
    await succeed(harness, await requestUpdate(harness, file('2', 'web', 'mail'), { remove: [] }));
    assert.deepEqual(appsOf(harness), ['mail', 'web']);
    await succeed(harness, await requestUninstall(harness));
    assert.deepEqual(presentInstall(harness.core, newest(harness)).resources, []);
  });
});
