import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { localBind } from './registry-front.ts';
import { RegistryPort } from './registry-port.ts';

const PORT = 5000;
const ADDRESS = `127.0.0.1:${PORT}`;

/** Registry port whose state a test sets, and the HAProxy configuration that an earlier daemon wrote. */
function setup(config = '') {
  const state = { isFree: true, isLoaded: false };
  const isFree = async () => state.isFree;
  const isLoaded = async () => state.isLoaded;
  const port = new RegistryPort({ port: PORT, readConfig: async () => config, isFree, isLoaded });
  return { port, state };
}

describe('RegistryPort', () => {
  it('gives a free port to HAProxy and does not check it again while HAProxy has it', async () => {
    const { port, state } = setup();
    assert.equal(await port.usable(), PORT);
    port.confirm();
    state.isFree = false;

    assert.deepEqual([await port.usable(), port.problem], [PORT, null]);
  });

  it('withholds a port that another program uses, until it is free', async () => {
    const { port, state } = setup();
    state.isFree = false;
    assert.equal(await port.usable(), null);
    port.confirm();
    assert.match(port.problem ?? '', /^The registry cannot listen on 127\.0\.0\.1:5000, .*DAVIT_REGISTRY_PORT\.$/);
    state.isFree = true;

    assert.deepEqual([await port.usable(), port.problem], [PORT, null]);
  });

  it('knows from the configuration on disk that HAProxy has the port', async () => {
    for (const [config, usable] of [
      [`frontend x\n  ${localBind(PORT)}\n`, PORT],
      [`frontend x\n  ${localBind(PORT)}1\n`, null],
      ['frontend x\n', null],
    ] as const) {
      const { port, state } = setup(config);
      state.isFree = false;
      assert.equal(await port.usable(), usable, config);
    }
  });

  it('withholds the port after a start or reload of HAProxy failed because of it, until it is free', async () => {
    const { port, state } = setup(localBind(PORT));
    state.isFree = false;
    await port.usable();

    assert.deepEqual([port.refuse('127.0.0.1:80'), port.problem], [false, null]);
    assert.equal(port.refuse(ADDRESS), true);
    assert.match(port.problem ?? '', /cannot listen/);
    // A second refusal means that HAProxy failed without the port, so the caller must not try the same again.
    assert.equal(port.refuse(ADDRESS), false);
    assert.equal(await port.usable(), null);
    state.isFree = true;
    assert.equal(await port.usable(), PORT);
  });

  it('prevents a reload if another program took the port of a configuration that HAProxy has not loaded', async () => {
    const { port, state } = setup(localBind(PORT));
    state.isFree = false;
    assert.equal(await port.usable(), PORT);
    await assert.rejects(port.checkReload('1.sock'), { name: 'CannotListen', address: ADDRESS });

    state.isLoaded = true;
    await port.checkReload('1.sock');
    state.isLoaded = false;
    port.confirm();
    await port.checkReload('1.sock');
  });

  it('checks a port again if HAProxy did not get it', async () => {
    const { port, state } = setup();
    assert.equal(await port.usable(), PORT);
    state.isFree = false;

    assert.equal(await port.usable(), null);
  });
});
