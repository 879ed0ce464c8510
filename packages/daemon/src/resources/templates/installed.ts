/** Lists installations of templates and converts them to the format of the HTTP API. */
import type { InstallSecrets, TemplateInstall } from '@davit/api';
import { unsealed } from '../../app-spec/unsealed.ts';
import type { OpContext } from '../../auth/context.ts';
import { seesOwner } from '../../authorization/lookup.ts';
import { type InstallRow, listInstalls } from '../../db/tables/template-install.ts';
import { mapPage, numberKey, type Page, type PageQuery, pageOf } from '../../input/paging.ts';
import type { TemplatesDeps } from './deps.ts';
import { ANSWERS_UNREADABLE, presentInstall } from './install/present.ts';
import { recordIn, secretInputs } from './install/record.ts';

/**
 * Returns the installations that the user can see, newest first. If the project of an installation was deleted, only
 * users with access to all projects can see the installation.
 */
export function listTemplateInstalls(
  core: TemplatesDeps,
  { actor }: OpContext,
  query: PageQuery,
): Page<TemplateInstall> {
  const rows = listInstalls(core.store).filter((row) => seesOwner(actor, row.project_id));
  const page = pageOf(rows, ({ id }) => numberKey(Number.MAX_SAFE_INTEGER - id), query);
  return mapPage(page, (row) => presentInstall(core, row));
}

export function readTemplateInstall(core: TemplatesDeps, _ctx: OpContext, row: InstallRow): TemplateInstall {
  return presentInstall(core, row);
}

/**
 * Returns the values of the secret inputs with which a template was installed.
 * @throws DavitError conflict if someone changed the stored data outside Davit
 */
export function readInstallSecrets(core: TemplatesDeps, _ctx: OpContext, row: InstallRow): InstallSecrets {
  const { manifest, answers } = unsealed(() => recordIn(core, row), ANSWERS_UNREADABLE);
  const secrets = [...secretInputs(manifest)].map((key) => [key, answers[key] ?? ''] as const);
  return { secrets: Object.fromEntries(secrets.filter(([, value]) => value !== '')) };
}
