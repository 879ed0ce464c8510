import { EngineRefused } from '../errors.ts';
import type { GroupKind } from '../labels.ts';
import { assertOwnName } from '../names.ts';
import type { Volume } from '../volume.ts';
import type { SimulatedEngineState } from './state.ts';

export class MemoryVolumes {
  readonly #state: SimulatedEngineState;
  readonly #davitId: string;
  readonly #now: () => Date;

  constructor(state: SimulatedEngineState, davitId: string, now: () => Date) {
    this.#state = state;
    this.#davitId = davitId;
    this.#now = now;
  }

  ensure(name: string, app: string, owner: GroupKind): void {
    assertOwnName(this.#davitId, name);
    if (!this.#state.volumes.has(name)) this.#state.volumes.set(name, { name, app, owner, createdAt: this.#now() });
  }

  remove(name: string): void {
    assertOwnName(this.#davitId, name);
    const user = [...this.#state.containers.values()].find(({ volumes }) => volumes.some((v) => v.name === name));
    if (user !== undefined)
      throw new EngineRefused(`The volume cannot be removed, because the container ${user.name} uses it.`);
    this.#state.volumes.delete(name);
  }

  list(): Volume[] {
    return [...this.#state.volumes.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  size(name: string): number | null {
    return this.#state.volumes.has(name) ? (this.#state.volumeBytes.get(name) ?? 0) : null;
  }
}
