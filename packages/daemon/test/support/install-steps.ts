/** Operations on installations, in an environment without HTTP. */
import assert from 'node:assert/strict';
import { TemplateInstallCreate, TemplateRollback, TemplateUninstall, TemplateUpdate } from '@davit/api';
import type { z } from 'zod';
import { appBySlugs } from '../../src/db/tables/app.ts';
import { type InstallRow, installById, listInstalls } from '../../src/db/tables/template-install.ts';
import { install, offeredFor, retry, uninstall } from '../../src/resources/templates/install/actions.ts';
import { previewUpdate, rollback, updateTo } from '../../src/resources/templates/install/update.ts';
import { levelAsFound } from '../../src/resources/variables/variables.ts';
import type { TaskWorld } from './task-world.ts';

type How = Partial<Omit<z.input<typeof TemplateInstallCreate>, 'release'>>;

/** Core and context of a request. */
export type Asking = Pick<TaskWorld, 'core' | 'ctx'>;

const offered = ({ core, ctx }: Asking, file: string) => offeredFor(core, ctx, { source: { file } });

/** Requests an installation. All of these functions return the number of the task. */
export async function askInstall(world: Asking, file: string, how: How): Promise<number> {
  const { release: _, ...asked } = TemplateInstallCreate.parse(how);
  return (await install(world.core, world.ctx, await offered(world, file), asked, false)).id;
}

export async function askUpdate(
  world: Asking,
  file: string,
  how: z.input<typeof TemplateUpdate> = {},
): Promise<number> {
  const row = newest(world);
  return (await updateTo(world.core, world.ctx, row, await offered(world, file), TemplateUpdate.parse(how), false)).id;
}

export async function askRollback(world: Asking): Promise<number> {
  return (await rollback(world.core, world.ctx, newest(world), TemplateRollback.parse({}), false)).id;
}

export async function askUninstall(
  world: Asking,
  how: z.input<typeof TemplateUninstall> = {},
  row = newest(world),
): Promise<number> {
  return (await uninstall(world.core, world.ctx, row, TemplateUninstall.parse(how), false)).id;
}

export async function askRetry(world: Asking): Promise<number> {
  return (await retry(world.core, world.ctx, newest(world), false)).id;
}

export { previewUpdate };

export async function succeed(world: TaskWorld, id: number): Promise<void> {
  const { status, error } = await world.ended(id);
  assert.equal(status, 'succeeded', `${error} ${world.errors.join('\n')}`);
}

export async function fail(world: TaskWorld, id: number): Promise<string> {
  const { status, error } = await world.ended(id);
  assert.equal(status, 'failed');
  return error ?? '';
}

export function newest({ core }: Asking): InstallRow {
  const [row] = listInstalls(core.store);
  if (row === undefined) throw new Error('nothing is installed');
  return row;
}

export function numbered({ core }: TaskWorld, id: number): InstallRow {
  const row = installById(core.store, id);
  if (row === undefined) throw new Error(`there is no installation ${id}`);
  return row;
}

/** Returns the decrypted variables of an app. */
export function variablesOf({ core }: TaskWorld, reference: string): Record<string, string> {
  const [project = '', environment = '', name = ''] = reference.split('/');
  const row = appBySlugs(core.store, project, environment, name);
  if (row === undefined) throw new Error(`there is no app ${reference}`);
  return Object.fromEntries(
    [...levelAsFound(core, core.store, { level: 'app', id: row.id })].map(([key, { value }]) => [key, value]),
  );
}
