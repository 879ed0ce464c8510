/** Templates whose images are pinned by a digest. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { appOf } from '../../src/resources/templates/install/apps.ts';
import { requestInstall, requestUpdate, succeed } from '../support/install-steps.ts';
import { TaskHarness } from '../support/task-harness.ts';

const WEB = 'notes/production/web';
const file = (image: string, tag: string) => `version: 1
minVersion: ">=0.1.0"
project: notes
apps: [{key: web, image: "${image}", tag: "${tag}", port: 80}]
`;

it('an image with a digest is installed, and an update moves the app to another digest or tag', async () => {
  await using harness = await TaskHarness.make();
  const { addImage } = harness.engine.controls;
  const [first, second] = ['1', '2'].map((tag) => addImage(`registry.test/web:${tag}`, { where: 'registry' }).digest);
  const live = () => {
    const { spec, liveTag } = appOf(harness.core, WEB);
    return [spec.image, spec.tag, liveTag];
  };

  await succeed(harness, await requestInstall(harness, file(`registry.test/web@${first}`, '9'), {}));
  assert.deepEqual(live(), ['registry.test/web', first, first]);
  await succeed(harness, await requestUpdate(harness, file(`registry.test/web@${second}`, '9')));
  assert.deepEqual(live(), ['registry.test/web', second, second]);
  await succeed(harness, await requestUpdate(harness, file('registry.test/web', '1')));
  assert.deepEqual(live(), ['registry.test/web', '1', '1']);
});
