import { EngineRefused } from '../errors.ts';
import { namePrefix } from '../names.ts';
import type { Network } from '../network.ts';
import { networkFromSubnet } from '../subnets.ts';
import type { SimulatedEngineState } from './state.ts';

/** Simulated Docker networks. Each new network gets the first free /24 subnet from 10.208.0.0/24 upwards. */
export class MemoryNetworks {
  readonly #state: SimulatedEngineState;
  readonly #davitId: string;

  constructor(state: SimulatedEngineState, davitId: string) {
    this.#state = state;
    this.#davitId = davitId;
  }

  ensure(name: string): Network {
    this.#assertOurs(name);
    const existing = this.#state.networks.get(name);
    if (existing !== undefined) return { ...existing };
    const taken = new Set([...this.#state.networks.values()].map((network) => network.subnet));
    for (let index = 0; index < 4096; index++) {
      const start = `10.${208 + (index >> 8)}.${index & 255}`;
      if (taken.has(`${start}.0/24`)) continue;
      const network = networkFromSubnet(name, `${start}.0/24`);
      this.#state.networks.set(name, network);
      return { ...network };
    }
    throw new EngineRefused('The network cannot be created, because all subnets of the network pool are in use.');
  }

  remove(name: string): void {
    this.#assertOurs(name);
    const user = [...this.#state.containers.values()].find(
      (container) => container.network === name && container.state === 'running',
    );
    if (user !== undefined)
      throw new EngineRefused(
        `The network ${name} cannot be removed, because the container ${user.name} still uses it.`,
      );
    this.#state.networks.delete(name);
  }

  names(): string[] {
    return [...this.#state.networks.keys()].sort();
  }

  #assertOurs(name: string): void {
    if (!name.startsWith(namePrefix(this.#davitId))) {
      throw new EngineRefused(`This instance did not create the network ${name}.`);
    }
  }
}
