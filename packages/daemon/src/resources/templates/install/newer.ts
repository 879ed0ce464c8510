import { DavitError } from '@davit/api';
import { changeInstall, type InstallRow, listInstalls } from '../../../db/tables/template-install.ts';
import type { TemplatesDeps } from '../deps.ts';
import { originOf } from './record.ts';

/**
 * Checks every template that is installed from the catalog for a newer release, and records the result. The check ends
 * when the catalog does not answer.
 */
export async function lookForNewer(core: TemplatesDeps, signal: AbortSignal): Promise<void> {
  const installed = listInstalls(core.store).filter((row) => row.installed_at !== null && row.uninstalled_at === null);
  for (const row of installed) {
    const { kind, owner, name, commit } = originOf(row);
    if (kind !== 'catalog' || owner === null || name === null) continue;
    try {
      const { release } = await core.catalog.template(owner, name, signal);
      note(core, row, release.commit === commit ? null : release.tag);
    } catch (error) {
      if (!(error instanceof DavitError)) throw error;
      // The catalog hides this template now. The installation stays as it is.
      if (error.code !== 'not_found') return;
    }
  }
}

function note({ store, now }: TemplatesDeps, row: InstallRow, newer: string | null): void {
  if (row.newer !== newer) store.tx((tx) => changeInstall(tx, row.id, { newer }, now()));
}
