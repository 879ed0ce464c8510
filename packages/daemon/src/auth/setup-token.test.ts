import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { SetupToken } from './setup-token.ts';

describe('the setup token', () => {
  let dataDir = '';
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'davit-token-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  const file = () => join(dataDir, 'setup-token');
  const open = (configured: string | null = null, claimed = false) => new SetupToken({ dataDir, configured, claimed });

  it('is random, stored in a private file, and kept after a restart', () => {
    const { value } = open();
    assert.match(value ?? '', /^[0-9a-f]{64}$/);
    assert.equal(readFileSync(file(), 'utf8'), `${value}\n`);
    assert.equal(statSync(file()).mode & 0o777, 0o600);
    assert.equal(open().value, value);
  });

  it('can be configured and then replaces the stored token', () => {
    writeFileSync(file(), 'old\n', { mode: 0o644 });
    assert.equal(open('chosen').value, 'chosen');
    assert.equal(readFileSync(file(), 'utf8'), 'chosen\n');
    assert.equal(statSync(file()).mode & 0o777, 0o600);
  });

  it('is deleted after the claim, even if a file was left behind', () => {
    open().discard();
    assert.equal(existsSync(file()), false);
    writeFileSync(file(), 'left behind\n');
    assert.equal(open('chosen', true).value, null);
    assert.equal(existsSync(file()), false);
  });
});
