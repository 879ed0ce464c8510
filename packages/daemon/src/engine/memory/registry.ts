import { EngineRefused, type RegistryAuth } from '../engine.ts';
import type { MemoryWorld } from './world.ts';

/** The simulated registries take every credential whose password is not `wrong`. */
export function checkRegistry(_world: MemoryWorld, host: string, { password }: RegistryAuth): void {
  if (password === 'wrong') throw new EngineRefused(`ask the registry ${host}: unauthorized`);
}
