/** The templates that are installed. */
import type { InstallSecrets, TemplateInstall } from '@davit/api';
import type { OpContext } from '../context.ts';
import { unsealed } from '../release/unsealed.ts';
import { type InstallRow, listInstalls } from '../store/template-install.ts';
import type { Core } from './core.ts';
import { presentInstall, UNOPENED } from './install/present.ts';
import { recordIn, secretInputs } from './install/record.ts';
import { seesOwner } from './lookup.ts';
import { mapPage, numberKey, type Page, type PageAsk, pageOf } from './paging.ts';

/** Newest first: those of the projects that the actor sees, and of none for who sees them all. */
export function listTemplateInstalls(core: Core, { actor }: OpContext, ask: PageAsk): Page<TemplateInstall> {
  const rows = listInstalls(core.store).filter((row) => seesOwner(actor, row.project_id));
  const page = pageOf(rows, ({ id }) => numberKey(Number.MAX_SAFE_INTEGER - id), ask);
  return mapPage(page, (row) => presentInstall(core, row));
}

export function readTemplateInstall(core: Core, _ctx: OpContext, row: InstallRow): TemplateInstall {
  return presentInstall(core, row);
}

/** @throws DavitError conflict for what was changed outside Davit */
export function readInstallSecrets(core: Core, _ctx: OpContext, row: InstallRow): InstallSecrets {
  const { manifest, answers } = unsealed(() => recordIn(core, row), UNOPENED);
  const secrets = [...secretInputs(manifest)].map((key) => [key, answers[key] ?? ''] as const);
  return { secrets: Object.fromEntries(secrets.filter(([, value]) => value !== '')) };
}
