/** Operations on installations, in an environment without HTTP. */
import assert from 'node:assert/strict';
import { TemplateInstallCreate, TemplateRollback, TemplateUninstall, TemplateUpdate } from '@davit/api';
import type { z } from 'zod';
import { appBySlugs } from '../../src/db/tables/app.ts';
import { type InstallRow, installById, listInstalls, resourcesOf } from '../../src/db/tables/template-install.ts';
import { install, offeredFor, retry, uninstall } from '../../src/resources/templates/install/actions.ts';
import { previewUpdate, rollback, updateTo } from '../../src/resources/templates/install/update.ts';
import { levelAsFound } from '../../src/resources/variables/variables.ts';
import type { TaskHarness } from './task-harness.ts';

type How = Partial<Omit<z.input<typeof TemplateInstallCreate>, 'release'>>;

/** Core and context of a request. */
export type Asking = Pick<TaskHarness, 'core' | 'ctx'>;

const offered = ({ core, ctx }: Asking, file: string) => offeredFor(core, ctx, { source: { file } });

/** Requests an installation. All of these functions return the number of the task. */
export async function requestInstall(harness: Asking, file: string, how: How): Promise<number> {
  const { release: _, ...input } = TemplateInstallCreate.parse(how);
  return (await install(harness.core, harness.ctx, await offered(harness, file), input, false)).id;
}

/** Requests an update. Without `remove`, confirms the removal of every app of the installation. */
export async function requestUpdate(
  { core, ctx }: Asking,
  file: string,
  how: z.input<typeof TemplateUpdate> = {},
): Promise<number> {
  const row = newest({ core, ctx });
  const remove = resourcesOf(core.store, row.id).flatMap(({ kind, name }) => (kind === 'app' ? [name] : []));
  const request = TemplateUpdate.parse({ remove, ...how });
  return (await updateTo(core, ctx, row, await offered({ core, ctx }, file), request, false)).id;
}

export async function requestRollback(harness: Asking): Promise<number> {
  return (await rollback(harness.core, harness.ctx, newest(harness), TemplateRollback.parse({}), false)).id;
}

export async function requestUninstall(
  harness: Asking,
  how: z.input<typeof TemplateUninstall> = {},
  row = newest(harness),
): Promise<number> {
  return (await uninstall(harness.core, harness.ctx, row, TemplateUninstall.parse(how), false)).id;
}

export async function requestRetry(harness: Asking): Promise<number> {
  return (await retry(harness.core, harness.ctx, newest(harness), false)).id;
}

export { previewUpdate };

export async function succeed(harness: TaskHarness, id: number): Promise<void> {
  const { status, error } = await harness.ended(id);
  assert.equal(status, 'succeeded', `${error} ${harness.errors.join('\n')}`);
}

export async function fail(harness: TaskHarness, id: number): Promise<string> {
  const { status, error } = await harness.ended(id);
  assert.equal(status, 'failed');
  return error ?? '';
}

export function newest({ core }: Asking): InstallRow {
  const [row] = listInstalls(core.store);
  if (row === undefined) throw new Error('nothing is installed');
  return row;
}

export function numbered({ core }: TaskHarness, id: number): InstallRow {
  const row = installById(core.store, id);
  if (row === undefined) throw new Error(`there is no installation ${id}`);
  return row;
}

/** Returns the decrypted variables of an app. */
export function variablesOf({ core }: TaskHarness, reference: string): Record<string, string> {
  const [project = '', environment = '', name = ''] = reference.split('/');
  const row = appBySlugs(core.store, project, environment, name);
  if (row === undefined) throw new Error(`there is no app ${reference}`);
  return Object.fromEntries(
    [...levelAsFound(core, core.store, { level: 'app', id: row.id })].map(([key, { value }]) => [key, value]),
  );
}
