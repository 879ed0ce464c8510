import { DavitError } from '@davit/api';
import { EngineRefused } from '../engine/errors.ts';
import type { AppTarget } from '../release/app-target.ts';
import type { Base } from '../release/base.ts';
import { sentence } from '../release/sentence.ts';
import { instancesOfApp } from '../store/instance.ts';
import { engineLimits } from './environment.ts';

/** Brings an app's limits to what runs, where the engine can. @throws DavitError conflict when it refuses */
export async function limitRunning({ engine, store }: Base, { id, spec }: AppTarget): Promise<void> {
  if (!engine.capabilities.liveLimits) return;
  const rows = instancesOfApp(store, id).filter((row) => row.role === 'active' && row.container_id !== null);
  try {
    await Promise.all(rows.map((row) => engine.setLimits(row.container_id ?? row.name, engineLimits(spec))));
  } catch (error) {
    if (error instanceof EngineRefused) throw new DavitError('conflict', sentence(error.message), { cause: error });
    throw error;
  }
}
