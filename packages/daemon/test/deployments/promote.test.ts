/** Promotion of one app or a whole environment, through the API of a whole daemon. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { App, Deployment, DeployPlan, Promotion, PromotionPlan } from '@davit/api';
import { app, bootDaemon, deployedApp, paramsOf, project, slug, type TestDaemon, user } from '@davit/testkit';

let daemon: TestDaemon;

const promote = (to: App, from: string, key?: string) =>
  daemon.call('POST', `/api/apps/${to.reference}/deploy?wait=true`, { from }, key);
const read = (one: App) => daemon.client.getApp({ params: paramsOf(one) });

/** Creates a project with the environments `staging` and `production`. */
async function twoStages(): Promise<string> {
  const name = await project(daemon);
  await daemon.client.createEnvironment({ params: { project: name }, body: { slug: 'staging' } });
  return name;
}

/** Creates an app with the same name in both environments, live in staging. */
async function pair(inProject: string, settings: { name?: string; tag?: string } = {}) {
  const { name = slug('app'), tag = 'v1' } = settings;
  const made = { project: inProject, name, image: `example/${name}` };
  const { app: staging, deployment } = await deployedApp(daemon, { ...made, environment: 'staging', tag });
  return { staging, deployment, production: await app(daemon, made) };
}

describe('promotion of an app', () => {
  before(async () => {
    daemon = await bootDaemon();
  });
  after(() => daemon[Symbol.asyncDispose]());

  test('runs the exact live image of the source with the variables of the target', async () => {
    const inProject = await twoStages();
    const { staging, deployment, production } = await pair(inProject);
    // The tag now means another image.
    daemon.engine.controls.addImage(`${staging.image}:v1`);
    await daemon.client.setAppEnv({ params: paramsOf(production), body: { set: { STAGE: 'production' } } });

    const answer = await promote(production, staging.reference);

    const record = JSON.parse(answer.text) as Deployment;
    assert.deepEqual(
      [answer.status, record.status, record.trigger.kind, record.tag, record.digest],
      [200, 'succeeded', 'promote', 'v1', deployment.digest],
    );
    assert.deepEqual(record.promoted_from, { app: staging.reference, deployment: deployment.id });
    const [container] = daemon.engine.controls.containers().filter((c) => c.app === production.reference);
    const [there] = daemon.engine.controls.containers().filter((c) => c.app === staging.reference);
    assert.equal(container?.imageId, there?.imageId);
    assert.deepEqual([container?.env.STAGE, container?.env.DAVIT_TAG], ['production', 'v1']);
  });

  test('keeps the promoted image after the source app is deleted', async () => {
    const { staging, production } = await pair(await twoStages());
    const { id } = JSON.parse((await promote(production, staging.reference)).text) as Deployment;

    await daemon.client.deleteApp({ params: paramsOf(staging) });
    await daemon.settled();

    assert.ok((await daemon.engine.heldImages()).some((tag) => tag.endsWith(`${production.reference}:${id}`)));
    const record = await daemon.client.getDeployment({
      params: { ...paramsOf(production), deployment: String(id) },
    });
    assert.equal(record.promoted_from?.app, staging.reference);
    const again = (await daemon.client.restartApp({
      params: paramsOf(production),
      query: { wait: 'true' },
    })) as Deployment;
    assert.deepEqual([again.status, again.promoted_from], ['succeeded', null]);
  });

  test('returns a plan for a dry run without a deployment', async () => {
    const { staging, production } = await pair(await twoStages());

    const answer = await daemon.call('POST', `/api/apps/${production.reference}/deploy?dry_run=true`, {
      from: staging.reference,
    });

    const { changes } = JSON.parse(answer.text) as DeployPlan;
    assert.deepEqual([answer.status, changes], [200, [`${staging.image}:v1 becomes the first release.`]]);
    assert.equal((await read(production)).live_deployment, null);
  });

  test('returns the same error for a missing source and a source hidden from the caller', async () => {
    const { staging } = await pair(await twoStages());
    const own = await app(daemon);
    const member = user(daemon, 'member', [own.project]);

    const hidden = await promote(own, staging.reference, member.key);
    const missing = await promote(own, 'no/such/app', member.key);

    assert.deepEqual([hidden.status, missing.status], [404, 404]);
    assert.equal(hidden.text, missing.text);
    assert.deepEqual((await daemon.client.listDeployments({ params: paramsOf(own) })) as Deployment[], []);
  });

  test('hides the name of the source app from a user without access', async () => {
    const { staging, deployment } = await pair(await twoStages());
    const own = await app(daemon);
    await promote(own, staging.reference);
    const viewer = user(daemon, 'viewer', [own.project]);

    const answer = await daemon.call('GET', `/api/apps/${own.reference}/deployments`, undefined, viewer.key);

    assert.doesNotMatch(answer.text, new RegExp(staging.reference));
    const [record] = JSON.parse(answer.text) as Deployment[];
    assert.deepEqual(record?.promoted_from, { app: null, deployment: deployment.id });
  });

  describe('promotion of a pushed image from an app hidden from the reader', () => {
    let hidden: App;
    let own: App;
    let record: Deployment;
    let shown: string;
    let member: string;

    before(async () => {
      hidden = await app(daemon, { source: 'registry', image: null, tag: 'none' });
      own = await app(daemon);
      const digest = daemon.registry.push(hidden.reference, 'v1');
      const deployed = await daemon.call('POST', `/api/apps/${hidden.reference}/deploy?wait=true`, { tag: 'v1' });
      assert.equal(JSON.parse(deployed.text).status, 'succeeded', deployed.text);
      record = JSON.parse((await promote(own, hidden.reference)).text);
      assert.equal(record.status, 'succeeded', `${record.error}`);
      shown = `localhost:${daemon.core.facts.ports.registry}/${own.reference}@${digest}`;
      member = user(daemon, 'member', [own.project]).key;
    });

    const readAs = async (key: string, path: string) => {
      const { status, text } = await daemon.call('GET', path, undefined, key);
      assert.equal(status, 200, text);
      return text;
    };

    test('shows the image under its name in the repository of the target app', async () => {
      for (const path of [`/api/apps/${own.reference}/deployments`, '/api/deployments']) {
        const text = await readAs(member, path);
        assert.equal(text.includes(hidden.reference), false, text);
        const [listed] = JSON.parse(text) as Deployment[];
        assert.equal(listed?.image, shown, path);
      }
      const text = await readAs(member, `/api/apps/${own.reference}/deployments/${record.id}`);
      assert.equal(text.includes(hidden.reference), false, text);
      assert.equal((JSON.parse(text) as Deployment).image, shown);
    });

    test('shows the pushed image name to a user with access to the source project', async () => {
      const name = `localhost:${daemon.core.facts.ports.registry}/${hidden.reference}:v1`;
      assert.equal(record.image, name);
      const both = user(daemon, 'viewer', [own.project, hidden.project]);
      const text = await readAs(both.key, `/api/apps/${own.reference}/deployments/${record.id}`);
      assert.equal((JSON.parse(text) as Deployment).image, name);
    });

    test('keeps the name of the source app out of plans and errors', async () => {
      const path = `/api/apps/${own.reference}`;
      const plan = await daemon.call('PATCH', `${path}?deploy=true&dry_run=true`, { args: ['a'] }, member);
      assert.equal(plan.status, 200, plan.text);
      assert.equal(plan.text.includes(hidden.reference), false, plan.text);

      const again = await daemon.call('POST', `${path}/rollback?wait=true`, { deployment: record.id }, member);
      assert.equal(JSON.parse(again.text).status, 'succeeded', again.text);
      assert.equal(again.text.includes(hidden.reference), false, again.text);

      /*
       * This simulates that the deployment which promoted the image was deleted, and that the engine has lost the
       * image.
       */
      daemon.core.store.tx((tx) =>
        tx.run(
          'UPDATE deployments SET promoted_app = NULL, image_id = ? WHERE id = ?',
          `sha256:${'e'.repeat(64)}`,
          record.id,
        ),
      );
      const failed = await daemon.call('POST', `${path}/rollback?wait=true`, { deployment: record.id }, member);
      const { status, error } = JSON.parse(failed.text) as Deployment;
      assert.deepEqual([status, /belongs to another app/.test(error ?? '')], ['failed', true], failed.text);
      assert.equal(failed.text.includes(hidden.reference), false, failed.text);
    });
  });

  test('requires another app with a live release and no tag', async () => {
    const one = await app(daemon);
    const other = await app(daemon);
    const deploy = (body: object) => daemon.call('POST', `/api/apps/${one.reference}/deploy`, body);

    const pending = await deploy({ from: other.reference });
    const itself = await deploy({ from: one.reference });
    const both = await deploy({ from: other.reference, tag: 'v1' });
    const word = await deploy({ from: 'staging' });

    assert.deepEqual([pending.status, itself.status, both.status, word.status], [409, 400, 400, 400]);
    assert.match(pending.text, /has no live release to promote\. Deploy it first\.\n$/);
    assert.equal(both.text, 'from: must be sent without tag, because Davit deploys the live image of the other app.\n');
  });

  test('keeps the promoted image in later setting deployments until the image setting changes', async () => {
    const { app: staging, deployment } = await deployedApp(daemon, { image: 'example/other' });
    const own = await app(daemon);
    await promote(own, staging.reference);

    await daemon.call('PATCH', `/api/apps/${own.reference}?deploy=true`, { args: ['a'] });
    await daemon.settled();
    const [changed] = (await daemon.client.listDeployments({ params: paramsOf(own) })) as Deployment[];
    await daemon.call('PATCH', `/api/apps/${own.reference}?deploy=true`, { image: 'example/third' });
    await daemon.settled();
    const [moved] = (await daemon.client.listDeployments({ params: paramsOf(own) })) as Deployment[];

    assert.deepEqual([changed?.status, changed?.digest], ['succeeded', deployment.digest]);
    assert.deepEqual([moved?.status, moved?.image], ['succeeded', 'example/third:v1']);
  });

  test('promotes the last live release of a stopped source app', async () => {
    const { staging, deployment, production } = await pair(await twoStages());
    await daemon.client.stopApp({ params: paramsOf(staging), query: { wait: 'true' } });

    const record = JSON.parse((await promote(production, staging.reference)).text) as Deployment;

    assert.deepEqual([record.status, record.digest], ['succeeded', deployment.digest]);
  });

  test('refuses a promotion whose image no longer exists on the engine', async () => {
    const { staging, deployment, production } = await pair(await twoStages());
    await daemon.client.stopApp({ params: paramsOf(staging), query: { wait: 'true' } });
    await daemon.settled();
    daemon.engine.controls.forgetImage(`${staging.image}:v1`);
    for (const tag of await daemon.engine.heldImages()) {
      if (tag.includes(staging.reference)) await daemon.engine.releaseImage(tag);
    }

    const answer = await promote(production, staging.reference);

    assert.equal(answer.status, 409);
    assert.match(answer.text, new RegExp(`image of deployment ${deployment.id} does not exist any more`));
  });
});

describe('promotion of an environment', () => {
  before(async () => {
    daemon = await bootDaemon();
  });
  after(() => daemon[Symbol.asyncDispose]());

  const promoteAll = async (inProject: string, body: object, query = '') =>
    daemon.call('POST', `/api/projects/${inProject}/environments/production/promote${query}`, body);

  test('deploys every app that is live in the source and skips apps with the same image', async () => {
    const inProject = await twoStages();
    const a = await pair(inProject, { name: 'a' });
    const b = await pair(inProject, { name: 'b' });
    await app(daemon, { project: inProject, environment: 'staging', name: 'only-there' });
    await app(daemon, { project: inProject, name: 'only-here' });
    await promote(b.production, b.staging.reference);

    const answer = await promoteAll(inProject, { from: 'staging' });
    await daemon.settled();

    const results = JSON.parse(answer.text) as Promotion[];
    assert.equal(answer.status, 202);
    assert.deepEqual(
      results.map(({ app: reference, deployment, skipped, error }) => [reference, deployment === null, skipped, error]),
      [
        [a.production.reference, false, null, null],
        [b.production.reference, true, results[1]?.skipped, null],
      ],
    );
    assert.match(results[1]?.skipped ?? '', /^The app already runs this image: deployment \d+, tag v1\.$/);
    assert.equal((await read(a.production)).status, 'running');
  });

  test('plans only the selected apps in a dry run', async () => {
    const inProject = await twoStages();
    const a = await pair(inProject, { name: 'a' });
    await pair(inProject, { name: 'b' });

    const answer = await promoteAll(inProject, { from: 'staging', apps: ['a'] }, '?dry_run=true');

    const results = JSON.parse(answer.text) as PromotionPlan[];
    assert.equal(answer.status, 200);
    assert.deepEqual(
      results.map(({ app: reference }) => reference),
      [a.production.reference],
    );
    assert.ok((results[0]?.plan?.steps.length ?? 0) > 0);
    assert.equal((await read(a.production)).live_deployment, null);
  });

  test('reports an error for an app without a live release', async () => {
    const inProject = await twoStages();
    const name = slug('app');
    await app(daemon, { project: inProject, environment: 'staging', name });
    await app(daemon, { project: inProject, name });

    const answer = await promoteAll(inProject, { from: 'staging', apps: [name] });

    const [result] = JSON.parse(answer.text) as Promotion[];
    assert.deepEqual([answer.status, result?.deployment], [202, null]);
    assert.match(result?.error ?? '', /has no live release to promote/);
  });

  test('refuses unknown apps and invalid source environments without a deployment', async () => {
    const inProject = await twoStages();
    const { production } = await pair(inProject, { name: 'a' });

    const unknown = await promoteAll(inProject, { from: 'staging', apps: ['a', 'z'] });
    const nowhere = await promoteAll(inProject, { from: 'testing' });
    const itself = await promoteAll(inProject, { from: 'production' });
    const none = await promoteAll(inProject, { from: 'staging', apps: [] });
    await daemon.settled();

    assert.deepEqual([unknown.status, nowhere.status, itself.status, none.status], [404, 404, 400, 400]);
    assert.match(unknown.text, /^apps: The app z does not exist in /);
    assert.equal((await read(production)).live_deployment, null);
  });

  test('refuses a promotion while the engine is unavailable', async () => {
    const inProject = await twoStages();
    const { production } = await pair(inProject);
    daemon.engine.controls.setAvailable(false);

    const answer = await promoteAll(inProject, { from: 'staging' });
    daemon.engine.controls.setAvailable(true);

    assert.equal(answer.status, 503);
    assert.deepEqual((await daemon.client.listDeployments({ params: paramsOf(production) })) as Deployment[], []);
  });

  test('starts a stopped app that already has the promoted image', async () => {
    const inProject = await twoStages();
    const { staging, production } = await pair(inProject);
    await promote(production, staging.reference);
    await daemon.client.stopApp({ params: paramsOf(production), query: { wait: 'true' } });

    await promoteAll(inProject, { from: 'staging' });
    await daemon.settled();

    assert.equal((await read(production)).status, 'running');
  });
});
