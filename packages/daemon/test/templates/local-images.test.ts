/** Apps of a Compose file whose image Docker on the server has, or only appears to have. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Task } from '@davit/api';
import { bootDaemon, type TestDaemon } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';

let daemon: TestDaemon;
before(async () => {
  // No registry is reachable, as on a server whose image exists only in Docker.
  daemon = await bootDaemon({ realRegistries: true });
});
after(() => daemon[Symbol.asyncDispose]());

/** Installs a Compose file with one service and returns the ended task. */
async function install(project: string, image: string): Promise<Task> {
  const compose = `services: { web: { image: "${image}", ports: ["8080:8080"] } }`;
  const { template: file } = await daemon.client.importTemplate({ body: { compose, project } });
  const task = (await daemon.client.installTemplateFile({ body: { source: { file }, inputs: {} } })) as Task;
  const params = { task: String(task.id) };
  return until('the end of the task', async () => {
    const one = await daemon.client.getTask({ params });
    return one.finished_at === null ? null : one;
  });
}

it('deploys an image that was built on the server', async () => {
  daemon.engine.controls.addImage('myapp:1.0', { exposedPorts: [8080], digest: null });

  const { status, error } = await install('built', 'myapp:1.0');

  assert.equal(status, 'succeeded', error ?? '');
});

it('does not deploy an image that came from a registry, and says the same as for a missing image', async () => {
  daemon.engine.controls.addImage('pulled:1.0', { exposedPorts: [8080] });

  const [pulled, missing] = [await install('one', 'pulled:1.0'), await install('two', 'absent:1.0')];

  assert.deepEqual([pulled.error_code, missing.error_code], [null, null]);
  const words = (task: Task) => task.error?.replaceAll(/one|two|pulled|absent/g, 'x');
  assert.equal(words(pulled), words(missing));
  assert.match(pulled.error ?? '', /On the server, the image pulled does not exist, or the project may/);
});

it('says how to deploy a local image with the tag latest', async () => {
  daemon.engine.controls.addImage('newest:latest', { exposedPorts: [8080], digest: null });

  const { error } = await install('three', 'newest');

  assert.match(error ?? '', /Set pull to “missing”, or use another tag than “latest”,/);
});

it('names the missing tag if other tags of the image were built on the server', async () => {
  const image = 'myapp-tags';
  daemon.engine.controls.addImage(`${image}:v3`, { exposedPorts: [8080], digest: null });
  daemon.engine.controls.addImage(`${image}:secret`, { exposedPorts: [8080] });

  const [missing, pulled] = [await install('tag-one', `${image}:absent`), await install('tag-two', `${image}:secret`)];

  assert.match(
    missing.error ?? '',
    /^[^.]*On the server, myapp-tags has no tag absent, .* Deploy another tag, such as v3,/,
  );
  assert.doesNotMatch(missing.error ?? '', /registries\.private_hosts/, 'the registry is not the first problem');
  const words = (task: Task) => task.error?.replaceAll(/tag-one|tag-two|absent|secret/g, 'x');
  assert.equal(words(pulled), words(missing), 'nothing is said about images of other projects');
});
