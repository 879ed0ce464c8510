/** Tests `davit plan` before and after `davit up`, against a complete daemon with a simulated engine. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paramsOf } from '@davit/testkit';
import { withDavit } from './support/davit.ts';

describe('davit plan', () => {
  const on = withDavit();

  it('shows the planned changes without applying them and exits with 10 for --exit-code', async () => {
    await on.davit.write('davit.yaml', 'app: plan/staging/web\nimage: example/web:v1\nscale: 2\n');

    const { code, stdout } = await on.davit.run(['plan']);

    assert.equal(code, 0);
    assert.deepEqual(stdout.split('\n').slice(0, 5), [
      '+ project plan',
      '+ environment plan/staging',
      '+ app plan/staging/web',
      '~ scale: 1 → 2',
      '+ tag: "v1"',
    ]);
    assert.equal((await on.davit.run(['plan', '--exit-code'])).code, 10);
    assert.deepEqual(await on.daemon.client.listProjects(), []);
  });

  it('reports no changes after davit up and lists deployment steps for an edited file', async () => {
    await on.davit.write('davit.yaml', 'app: plan/production/web\nimage: example/web:v1\n');
    assert.equal((await on.davit.run(['up'])).code, 0);
    const same = await on.davit.run(['plan', '--exit-code']);
    await on.davit.write('davit.yaml', 'app: plan/production/web\nimage: example/web:v2\nhealth: {path: /up}\n');

    const { stdout } = await on.davit.run(['plan']);

    assert.deepEqual(
      [same.code, same.stdout.split('\n')[0]],
      [0, 'No changes: plan/production/web matches davit.yaml.'],
    );
    assert.match(
      stdout,
      /^~ tag: "v1" → "v2"\n\+ health\.path: "\/up"\nSteps of the deployment:\n {2}find the image example\/web:v2\n/,
    );
    const { tag } = await on.daemon.client.getApp({
      params: { project: 'plan', environment: 'production', app: 'web' },
    });
    assert.equal(tag, 'v1');
  });

  it('lists the steps of the deployment with the settings of the file, which davit up then uses', async () => {
    await on.davit.write('davit.yaml', 'app: plan/production/steps\nimage: example/web:v1\n');
    assert.equal((await on.davit.run(['up'])).code, 0);
    const changed = 'scale: 3\nrelease_command: ["true"]\nhealth: {path: /up, grace_s: 7}\n';
    await on.davit.write('davit.yaml', `app: plan/production/steps\nimage: example/web:v1\n${changed}`);

    const planned = await on.davit.run(['plan']);
    const up = await on.davit.run(['up', '--yes']);
    const after = await on.davit.run(['plan', '--exit-code']);

    for (const step of [
      'run true once with the new image',
      'create 3 replicas of the new release',
      'GET /up returns 2xx within 7 s',
    ])
      assert.ok(planned.stdout.includes(step), planned.stdout);
    assert.deepEqual([up.code, after.code], [0, 0], up.stderr + after.stdout);
    const changes = planned.stdout.split('\n').filter((line) => /^[+~-] /.test(line));
    assert.equal(changes.length, 4, planned.stdout);
    for (const change of changes) assert.ok(up.stderr.includes(change), change);
  });

  it('shows settings that return to their default after removal from the file, except the scale', async () => {
    await on.davit.write('davit.yaml', 'app: plan/production/worker\nimage: example/web:v1\nscale: 3\nport: null\n');
    assert.equal((await on.davit.run(['up'])).code, 0);
    await on.davit.write('davit.yaml', 'app: plan/production/worker\nimage: example/web:v1\n');

    const { stdout } = await on.davit.run(['plan', '--json']);

    assert.deepEqual(
      JSON.parse(stdout).changes.map(({ sign, name, to }: { sign: string; name: string; to: string | null }) => [
        sign,
        name,
        to,
      ]),
      [
        ['-', 'port', null],
        ['=', 'scale', null],
      ],
    );
    assert.equal(
      paramsOf(await on.daemon.client.getApp({ params: { project: 'plan', environment: 'production', app: 'worker' } }))
        .app,
      'worker',
    );
  });
});
