import { EngineRefused } from '../errors.ts';
import type { GroupKind } from '../labels.ts';
import { assertOwnName } from '../names.ts';
import type { Volume } from '../volume.ts';
import type { MemoryWorld } from './world.ts';

export class MemoryVolumes {
  readonly #world: MemoryWorld;
  readonly #davitId: string;
  readonly #now: () => Date;

  constructor(world: MemoryWorld, davitId: string, now: () => Date) {
    this.#world = world;
    this.#davitId = davitId;
    this.#now = now;
  }

  ensure(name: string, app: string, owner: GroupKind): void {
    assertOwnName(this.#davitId, name);
    if (!this.#world.volumes.has(name)) this.#world.volumes.set(name, { name, app, owner, createdAt: this.#now() });
  }

  remove(name: string): void {
    assertOwnName(this.#davitId, name);
    const user = [...this.#world.containers.values()].find(({ volumes }) => volumes.some((v) => v.name === name));
    if (user !== undefined)
      throw new EngineRefused(`The volume cannot be removed, because the container ${user.name} uses it.`);
    this.#world.volumes.delete(name);
  }

  list(): Volume[] {
    return [...this.#world.volumes.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  size(name: string): number | null {
    return this.#world.volumes.has(name) ? (this.#world.volumeBytes.get(name) ?? 0) : null;
  }
}
