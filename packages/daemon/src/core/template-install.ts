/** The templates that are installed. */
import { DavitError, type InstallSecrets, type TemplateInstall } from '@davit/api';
import type { OpContext } from '../context.ts';
import { SealBroken } from '../store/seal.ts';
import { type InstallRow, listInstalls } from '../store/template-install.ts';
import type { Core } from './core.ts';
import { presentInstall } from './install/present.ts';
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
  try {
    const { manifest, answers } = recordIn(core, row);
    const secrets = [...secretInputs(manifest)].map((key) => [key, answers[key] ?? ''] as const);
    return { secrets: Object.fromEntries(secrets.filter(([, value]) => value !== '')) };
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new DavitError('conflict', 'Its answers were changed outside Davit and cannot be opened.', { cause: error });
  }
}
