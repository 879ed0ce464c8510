/** `davit doctor`: exit codes, output forms, repairs, and checks of an instance that does not respond. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { InstanceCheck, InstanceRepair } from '@davit/api';
import { bootDaemon, type TestDaemon } from '@davit/testkit';
import { EXIT } from '../src/errors/exit.ts';
import { Davit } from './support/davit.ts';

const namesOf = (checks: readonly { name: string }[]) => checks.map(({ name }) => name);
const troubles = (checks: readonly InstanceCheck[]) => namesOf(checks.filter(({ state }) => state !== 'ok'));

describe('davit doctor', () => {
  let daemon: TestDaemon;
  let davit: Davit;
  before(async () => {
    daemon = await bootDaemon({
      diskUse: async (path) => ({ path, totalBytes: 100 * 2 ** 30, freeBytes: 2 ** 30 }),
    });
    davit = await Davit.at(daemon);
    await daemon.settled();
  });
  after(async () => {
    await davit?.[Symbol.asyncDispose]();
    await daemon?.[Symbol.asyncDispose]();
  });
  const doctor = (...options: string[]) => davit.run(['doctor', ...options]);

  it('ends with the exit code of a problem, and names the repair', async () => {
    const { code, stdout, stderr } = await doctor();

    assert.equal(code, EXIT.problems.code);
    assert.match(stdout, /^problem +disk /m);
    assert.match(stderr, /davit doctor --repair/);
  });

  it('prints only the names of parts with a problem or warning with -q', async () => {
    const { checks } = JSON.parse((await doctor('--json')).stdout) as InstanceRepair;
    const quiet = await doctor('-q');

    assert.ok(troubles(checks).includes('disk'));
    assert.deepEqual([quiet.code, quiet.stdout.trimEnd().split('\n')], [EXIT.problems.code, troubles(checks)]);
  });

  it('repairs, and checks again', async () => {
    const repaired = JSON.parse((await doctor('--repair', '--json')).stdout) as InstanceRepair;
    const { code, stdout, stderr } = await doctor('--repair');

    assert.ok(namesOf(repaired.actions).includes('disk'));
    assert.ok(troubles(repaired.checks).includes('disk'), 'the disk is still full');
    assert.equal(code, EXIT.problems.code);
    assert.match(stdout, /^repaired /m);
    assert.doesNotMatch(stderr, /--repair/);
  });

  it('does not check from outside an instance on another server', async () => {
    const away = () => Promise.reject(new TypeError('fetch failed'));
    const { code, stdout } = await davit.run(['doctor', '--json'], {
      fetch: away,
      env: { DAVIT_URL: 'https://davit.example' },
    });

    assert.deepEqual([code, stdout], [EXIT.unreachable.code, '']);
  });
});

describe('davit doctor without a daemon', () => {
  it('checks what is visible from outside', async () => {
    await using daemon = await bootDaemon();
    const { url, key, dataDir } = daemon;
    await daemon.stop();
    await using davit = await Davit.at({ url, key, dataDir });

    const { code, stdout } = await davit.run(['doctor', '--repair', '--json']);

    const result = JSON.parse(stdout) as InstanceRepair & { outside: boolean };
    assert.equal(code, EXIT.problems.code);
    assert.deepEqual([result.outside, result.actions], [true, []]);
    assert.ok(troubles(result.checks).includes('daemon'));
    assert.ok(namesOf(result.checks).includes('state_database'));
  });
});
