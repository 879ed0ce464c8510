import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type Docker from 'dockerode';
import { removeEverythingOf } from './instance-removal.ts';

/** An engine with containers in a network. The network can be removed only after its containers. */
class FakeEngine {
  /**
   * Number of listings after which a container disappears without a request. Null if it disappears when its removal is
   * requested.
   */
  readonly containers = new Map<string, number | null>();
  /** A container that appears after the first listing. */
  late: string | null = null;
  readonly removed: string[] = [];
  /** Whether the engine keeps an endpoint of a removed container. */
  keepsEndpoint = false;
  /** Error of the engine for a container that cannot be removed. */
  refusal: Error | null = null;

  async listContainers() {
    const ids = [...this.containers.keys()];
    for (const [id, looks] of this.containers) {
      if (looks === 0) this.containers.delete(id);
      else if (looks !== null) this.containers.set(id, looks - 1);
    }
    if (this.late !== null) this.containers.set(this.late, null);
    this.late = null;
    return ids.map((id) => ({ Id: id, Names: [`/${id}`], Labels: {} }));
  }

  getContainer(id: string) {
    return {
      remove: async () => {
        if (this.refusal) throw this.refusal;
        if (this.containers.get(id) !== null) {
          throw Object.assign(new Error(`removal of container ${id} is already in progress`), { statusCode: 409 });
        }
        this.containers.delete(id);
        this.removed.push(id);
      },
    };
  }

  async listNetworks() {
    return [{ Name: 'net' }];
  }

  getNetwork(name: string) {
    return {
      inspect: async () => ({ Containers: Object.fromEntries(this.containers) }),
      remove: async () => {
        if (this.containers.size > 0 || this.keepsEndpoint) {
          throw Object.assign(new Error(`network ${name} has active endpoints`), { statusCode: 403 });
        }
        this.removed.push(name);
      },
    };
  }

  async listVolumes() {
    return { Volumes: [] };
  }

  async listImages() {
    return [];
  }
}

const remove = (engine: FakeEngine) => removeEverythingOf(engine as unknown as Docker, 'id');

describe('removeEverythingOf', () => {
  it('removes the network last, even if another process removes a container meanwhile', async () => {
    const engine = new FakeEngine();
    engine.containers.set('web', null).set('going', 3);
    await remove(engine);
    assert.deepEqual(engine.removed, ['web', 'net']);
    assert.equal(engine.containers.size, 0);
  });

  it('keeps a network if the engine holds an endpoint without a container', async () => {
    const engine = new FakeEngine();
    engine.containers.set('web', null);
    engine.keepsEndpoint = true;
    await remove(engine);
    assert.deepEqual(engine.removed, ['web']);
  });

  it('removes containers that appear during the removal', async () => {
    const engine = new FakeEngine();
    engine.containers.set('web', null);
    engine.late = 'late';
    await remove(engine);
    assert.deepEqual(engine.removed, ['web', 'late', 'net']);
  });

  it('fails with the engine’s error if a container cannot be removed', async () => {
    const engine = new FakeEngine();
    engine.containers.set('web', null);
    engine.refusal = Object.assign(new Error('the disk is full'), { statusCode: 500 });
    await assert.rejects(remove(engine), /the disk is full/);
    assert.deepEqual(engine.removed, []);
  });
});
