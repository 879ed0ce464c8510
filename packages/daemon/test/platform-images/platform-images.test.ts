/**
 * Newer packages for images that Davit builds: checks, roll-outs, failures, and databases in the maintenance window.
 */

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { bootDaemon, database, databaseParams, project, type TestDaemon, user } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { allDatabases } from '../../src/db/tables/managed-database.ts';
import { keepPlatform } from '../../src/resources/platform-images/platform-image.ts';

const DAY_MS = 24 * 60 * 60_000;
/** A time outside of the default maintenance window, which starts at 04:00. */
const NOON = Date.parse('2026-11-23T12:00:00Z');
const NIGHT = Date.parse('2026-11-24T04:10:00Z');

/** Starts a daemon with a controlled clock, and with images built from version 1 of each package. */
async function boot() {
  const clock = { now: NOON, running: 0 };
  const daemon = await bootDaemon({ now: () => clock.now, running: () => clock.running });
  for (const name of ['haproxy', 'registry', 'names']) await daemon.platform.ensure(name);
  return { daemon, clock };
}

const instanceOf = (daemon: TestDaemon) => daemon.client.getInstance();

async function imageOf(daemon: TestDaemon, name: string) {
  const { platform_images } = await instanceOf(daemon);
  const found = platform_images.find((image) => image.name === name);
  assert.ok(found, `no image ${name}`);
  return found;
}

/** Requests a check like a client, and waits for its end. */
async function check(daemon: TestDaemon): Promise<void> {
  const answer = await daemon.call('POST', '/api/instance/platform-images/check');
  assert.equal(answer.status, 202);
  await until('the check has ended', async () => !(await instanceOf(daemon)).platform_check.running);
}

function versionIn({ packages }: { packages: { name: string; version: string }[] }, name: string): string | undefined {
  return packages.find((one) => one.name === name)?.version;
}

const warningsAbout = async (daemon: TestDaemon, what: RegExp) =>
  (await instanceOf(daemon)).warnings.filter((warning) => what.test(warning));

describe('platform images', () => {
  let daemon: TestDaemon;
  let clock: { now: number; running: number };

  before(async () => {
    ({ daemon, clock } = await boot());
  });
  beforeEach(() => {
    daemon.platform.fail(null);
    daemon.platform.calls.length = 0;
    for (const method of ['refresh', 'make', 'rollOut'] as const) daemon.platform.hold(method, null);
  });
  after(() => daemon[Symbol.asyncDispose]());

  test('are listed with their packages and the time of the last check', async () => {
    const image = await imageOf(daemon, 'haproxy');

    assert.deepEqual(image.packages, [
      { name: 'haproxy', version: '1' },
      { name: 'libc6', version: '1' },
    ]);
    assert.equal(image.checked_at, new Date(NOON).toISOString());
    assert.equal(image.update, null);
  });

  test('a check without newer packages rebuilds no image and records the time', async () => {
    clock.now += 1_000;

    await check(daemon);

    assert.deepEqual(
      daemon.platform.calls.filter((call) => !call.startsWith('collect')),
      ['refresh'],
    );
    assert.equal((await imageOf(daemon, 'haproxy')).checked_at, new Date(clock.now).toISOString());
  });

  test('a newer package causes a warning until the new image is in use', async () => {
    const gate = Promise.withResolvers<void>();
    daemon.platform.hold('rollOut', gate.promise);
    daemon.platform.publish('haproxy', '2');

    await daemon.call('POST', '/api/instance/platform-images/check');
    const checking = daemon.core.platform.check();
    while (!daemon.platform.calls.some((call) => call.startsWith('rollOut haproxy'))) await nextTick();
    const during = await instanceOf(daemon);
    gate.resolve();
    await checking;

    assert.equal(during.platform_check.running, true);
    assert.match(during.warnings.join('\n'), /Newer packages for haproxy \(haproxy 1 to 2\) are being installed\./);
    const { update, ...image } = await imageOf(daemon, 'haproxy');
    assert.deepEqual([versionIn(image, 'haproxy'), update], ['2', null]);
    assert.deepEqual(await warningsAbout(daemon, /haproxy|security updates/), []);
    assert.equal(daemon.platform.calls.filter((call) => call.startsWith('make')).length, 1);
  });

  test('a newer shared library causes a rebuild of every image with the library', async () => {
    daemon.platform.publish('libc6', '2');

    await check(daemon);

    const made = daemon.platform.calls.filter((call) => call.startsWith('make'));
    assert.deepEqual(made, ['make haproxy', 'make names', 'make registry'].toSorted());
  });

  for (const code of ['repository_unavailable', 'disk_full'] as const) {
    test(`a check that fails with ${code} changes nothing, warns about the age, and succeeds later`, async () => {
      const before = await imageOf(daemon, 'haproxy');
      clock.now += 2 * DAY_MS;
      daemon.platform.publish('haproxy', code === 'disk_full' ? '51' : '50');
      daemon.platform.fail(code);

      await check(daemon);
      const failed = await instanceOf(daemon);
      const [warning = ''] = await warningsAbout(daemon, /failed/);
      daemon.platform.fail(null);
      await check(daemon);

      assert.deepEqual(
        failed.platform_images.find(({ name }) => name === 'haproxy'),
        before,
      );
      assert.equal(failed.platform_check.failure?.code, code);
      assert.match(warning, /\(2 days ago\)\. Davit repeats the check within an hour\./);
      assert.doesNotMatch(warning, /made to fail/);
      assert.deepEqual(await warningsAbout(daemon, /failed/), []);
    });
  }

  for (const when of ['verify', 'rollOut'] as const) {
    test(`a new image that fails at ${when} is kept back, and the old image stays`, async () => {
      const before = await imageOf(daemon, 'registry');
      const next = String(Number(versionIn(before, 'docker-registry')) + 1);
      daemon.platform.publish('docker-registry', next);
      daemon.platform.refuse('registry', when);

      await check(daemon);
      const kept = await imageOf(daemon, 'registry');
      const warnings = await warningsAbout(daemon, /registry/);
      const rolledOut = daemon.platform.calls.filter((call) => call.startsWith('rollOut registry'));
      daemon.platform.refuse('registry', null);
      await check(daemon);

      assert.deepEqual([kept.image_id, kept.packages], [before.image_id, before.packages]);
      assert.equal(kept.update?.state, 'kept_back');
      assert.match(warnings.join(), /do not work on this server and are not used/);
      // After a failed roll-out, the running containers return to the previous image.
      assert.equal(rolledOut.length, when === 'verify' ? 0 : 2);
      assert.ok(when === 'verify' || rolledOut[1]?.endsWith(before.image_id));
      assert.equal(versionIn(await imageOf(daemon, 'registry'), 'docker-registry'), next);
      assert.deepEqual(await warningsAbout(daemon, /registry/), []);
    });
  }

  test('a roll-out that was interrupted by a stop finishes after the next start', async () => {
    daemon.platform.publish('haproxy', '70');
    const gate = Promise.withResolvers<void>();
    daemon.platform.hold('rollOut', gate.promise);
    const checking = daemon.core.platform.check();
    while (!daemon.platform.calls.some((call) => call.startsWith('rollOut haproxy'))) await nextTick();
    const stopping = daemon.stop();
    gate.reject(new Error('killed'));
    await Promise.all([checking, stopping]);
    daemon.platform.hold('rollOut', null);

    await daemon.start();
    await daemon.settled();
    await keepPlatform(daemon.core);

    const { update, ...image } = await imageOf(daemon, 'haproxy');
    assert.deepEqual([versionIn(image, 'haproxy'), update], ['70', null]);
  });

  test('a check is due daily, but not right after a start or when disabled', async () => {
    const refreshed = async () => {
      daemon.platform.calls.length = 0;
      await keepPlatform(daemon.core);
      return daemon.platform.calls.includes('refresh');
    };
    await check(daemon);
    const soon = await refreshed();
    clock.now += DAY_MS + 1;
    const afterStart = await refreshed();
    clock.running += 10 * 60_000;
    await daemon.client.patchSettings({ body: { platform_images: { check: false } } });
    clock.now += 20 * DAY_MS;
    const whenOff = [await refreshed(), (await warningsAbout(daemon, /overdue/)).length];
    await daemon.client.patchSettings({ body: { platform_images: null } });
    const overdue = await warningsAbout(daemon, /overdue/);
    const due = await refreshed();
    daemon.platform.fail('repository_unavailable');
    clock.now += DAY_MS + 1;
    const failing = [await refreshed(), await refreshed()];
    clock.now += 61 * 60_000;

    assert.deepEqual([soon, afterStart, whenOff, due], [false, false, [false, 0], true]);
    assert.match(overdue.join(), /21 days ago/);
    // There is one attempt, and the next after an hour, so no loop of errors.
    assert.deepEqual(failing, [true, false]);
    assert.equal(await refreshed(), true);
  });
});

describe('a database with an image built by Davit', () => {
  let daemon: TestDaemon;
  let clock: { now: number; running: number };

  before(async () => {
    ({ daemon, clock } = await boot());
  });
  after(() => daemon[Symbol.asyncDispose]());

  /** Sets the clock, runs one pass of the reconciler of platform images, and waits for the tasks that it starts. */
  async function passAt(time: number): Promise<void> {
    clock.now = time;
    await keepPlatform(daemon.core);
    await daemon.settled();
  }

  const tasksOf = async (reference: string) =>
    (await daemon.client.listTasks({ query: { subject: reference } })).filter(({ kind }) => kind === 'database.update');

  const rowOf = (name: string) => allDatabases(daemon.core.store).find((row) => row.name === name);

  test('restarts with the newer image only in the maintenance window', async () => {
    const made = await database(daemon, { name: 'main', version: '15' });
    const reference = `${made.project}/${made.environment}/main`;
    daemon.platform.publish('postgresql-15', '2');
    const before = rowOf('main')?.image_id;

    await check(daemon);
    const waiting = await imageOf(daemon, 'postgres');
    const warnings = await warningsAbout(daemon, /maintenance window/);
    const elsewhere = user(daemon, 'viewer', [await project(daemon)]);
    const { text } = await daemon.call('GET', '/api/instance', undefined, elsewhere.key);
    await passAt(NOON);
    const atNoon = await tasksOf(reference);
    await passAt(NIGHT);

    assert.deepEqual(waiting.update, { state: 'waiting', packages: [], databases: [reference] });
    assert.match(
      warnings.join(),
      /ready for 1 database\. Davit installs them in the maintenance window, 04:00 to 05:00 \(UTC\), and restarts the database\./,
    );
    // A user who cannot see the project does not see the name of the database.
    assert.doesNotMatch(text, /\/main/);
    assert.deepEqual(atNoon, []);
    assert.deepEqual(
      (await tasksOf(reference)).map(({ status }) => status),
      ['succeeded'],
    );
    assert.notEqual(rowOf('main')?.image_id, before);
    assert.equal(rowOf('main')?.image_id, waiting.image_id);
    assert.equal((await daemon.client.getDatabase({ params: databaseParams(made) })).status, 'running');
    assert.deepEqual(await warningsAbout(daemon, /maintenance window/), []);
    await passAt(NIGHT + 60_000);
    assert.equal((await tasksOf(reference)).length, 1);
  });

  test('is not updated while stopped, and restarts with the newer image after its start', async () => {
    const made = await database(daemon, { name: 'idle', version: '15' });
    const reference = `${made.project}/${made.environment}/idle`;
    await daemon.client.stopDatabase({ params: databaseParams(made), query: { wait: 'true' } });
    clock.now += 60_000;
    daemon.platform.publish('postgresql-15', '3');

    await check(daemon);
    for (let minute = 1; minute <= 3; minute++) await passAt(NIGHT + DAY_MS + minute * 60_000);
    const whileStopped = await tasksOf(reference);
    const warnings = await warningsAbout(daemon, /maintenance window/);
    await daemon.client.startDatabase({ params: databaseParams(made), query: { wait: 'true' } });
    await passAt(NIGHT + DAY_MS + 5 * 60_000);

    assert.deepEqual([whileStopped, warnings], [[], []]);
    assert.deepEqual(
      (await tasksOf(reference)).map(({ status }) => status),
      ['succeeded'],
    );
    assert.equal(rowOf('idle')?.image_id, (await imageOf(daemon, 'postgres')).image_id);
    await daemon.client.stopDatabase({ params: databaseParams(made), query: { wait: 'true' } });
  });

  test('returns to the old image if the newer image fails, without another attempt', async () => {
    const made = await database(daemon, { name: 'sick', version: '15' });
    const reference = `${made.project}/${made.environment}/sick`;
    const before = rowOf('sick')?.image_id;
    clock.now += 60_000;
    daemon.platform.publish('postgresql-15', '4');
    daemon.platform.refuse('postgres', 'start');
    await check(daemon);

    for (let minute = 1; minute <= 3; minute++) await passAt(NIGHT + 2 * DAY_MS + minute * 60_000);

    const failed = (await tasksOf(reference)).map(({ status }) => status);
    assert.deepEqual(failed, ['failed']);
    assert.equal(rowOf('sick')?.image_id, before);
    await until('it runs again', async () => {
      const { status } = await daemon.client.getDatabase({ params: databaseParams(made) });
      return status === 'running';
    });
    assert.match((await warningsAbout(daemon, /The update of/)).join(), /The update of 2 databases failed/);
    clock.now += 60_000;
    daemon.platform.refuse('postgres', null);
    daemon.platform.publish('postgresql-15', '5');
    await check(daemon);
    for (let minute = 1; minute <= 4; minute++) await passAt(NIGHT + 3 * DAY_MS + minute * 60_000);
    assert.equal(rowOf('sick')?.image_id, (await imageOf(daemon, 'postgres')).image_id);
    assert.deepEqual(await warningsAbout(daemon, /The update of/), []);
  });
});

function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
