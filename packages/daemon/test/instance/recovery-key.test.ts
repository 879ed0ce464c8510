/** Recovery key: created by the client, and used to restore a lost master key of a stopped instance. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { formatRecoveryKey } from '@davit/api/recovery-key.ts';
import { bootDaemon, type TestDaemon } from '@davit/testkit';
import { runAction } from '../../src/offline/actions.ts';

function newKey() {
  const { d = '', x = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
  return { public_key: x, text: formatRecoveryKey(Buffer.from(d, 'base64url')) };
}

async function recover(dataDir: string, typed: string) {
  const lines: string[] = [];
  const streams = { write: (line: string) => void lines.push(line), input: async () => typed };
  const code = await runAction('recover-key', ['--data-dir', dataDir, '--json'], streams);
  return { code, event: JSON.parse(lines.join()) as { kind: string; data: { exit?: string; message?: string } } };
}

describe('the recovery key', () => {
  let daemon: TestDaemon;
  let dataDir: string;
  let keyFile: string;
  const [first, second] = [newKey(), newKey()];
  const checkOfKey = async () =>
    (await daemon.client.checkInstance()).checks.find(({ name }) => name === 'recovery_key')?.state;

  before(async () => {
    daemon = await bootDaemon();
    dataDir = daemon.core.facts.dataDir;
    keyFile = join(dataDir, 'master.key');
  });
  after(() => daemon[Symbol.asyncDispose]());

  test('is missing at first, can be set by admins, and is audited without the key', async () => {
    assert.equal(await checkOfKey(), 'warning');

    await daemon.client.replaceRecoveryKey({ body: { public_key: first.public_key } });
    await daemon.client.replaceRecoveryKey({ body: { public_key: second.public_key } });

    assert.equal(await checkOfKey(), 'ok');
    const { events } = await daemon.client.listAudit({ query: { operation: 'replaceRecoveryKey' } });
    assert.deepEqual(
      events.map(({ outcome }) => outcome),
      ['ok', 'ok'],
    );
    assert.equal(statSync(join(dataDir, 'master.key.recovery')).mode & 0o777, 0o600);
  });

  test('is refused if its public part is not a valid key', async () => {
    for (const public_key of ['A'.repeat(43), 'short', `${'A'.repeat(42)}=`]) {
      const { status } = await daemon.call('PUT', '/api/instance/recovery-key', { public_key });
      assert.equal(status, 400, public_key);
    }
    assert.equal(await checkOfKey(), 'ok');
  });

  test('restores a lost master key, and no other key does', async () => {
    const key = readFileSync(keyFile, 'utf8');
    rmSync(keyFile);

    const typo = await recover(dataDir, `${second.text.slice(0, -1)}${second.text.endsWith('0') ? '1' : '0'}\n`);
    const replaced = await recover(dataDir, `${first.text}\n`);
    assert.deepEqual([typo.code, replaced.code, existsSync(keyFile)], [2, 2, false]);
    assert.match(typo.event.data.message ?? '', /^Group 13 /);

    const { code, event } = await recover(dataDir, `${second.text.toLowerCase()}\n`);
    assert.deepEqual([code, event.kind], [0, 'result']);
    assert.equal(readFileSync(keyFile, 'utf8'), key);
    assert.equal(statSync(keyFile).mode & 0o777, 0o600);
  });

  test('keeps a wrong master key file under another name', async () => {
    const key = readFileSync(keyFile, 'utf8');
    writeFileSync(keyFile, 'wrong');

    assert.equal((await recover(dataDir, second.text)).code, 0);

    assert.equal(readFileSync(keyFile, 'utf8'), key);
    assert.equal(readFileSync(`${keyFile}.replaced`, 'utf8'), 'wrong');
  });

  test('appears in no file of the data directory', () => {
    const raw = [first, second].flatMap(({ text: words }) => [words, words.replaceAll('-', '')]);
    for (const name of readdirSync(dataDir, { recursive: true }).map(String)) {
      const path = join(dataDir, name);
      if (!statSync(path, { throwIfNoEntry: false })?.isFile()) continue;
      const content = readFileSync(path, 'latin1');
      for (const words of raw) assert.ok(!content.includes(words), name);
    }
  });
});
