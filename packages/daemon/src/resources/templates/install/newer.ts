import { DavitError } from '@davit/api';
import { changeInstall, type InstallRow, listInstalls } from '../../../db/tables/template-install.ts';
import { repositoryIdOf } from '../catalog/catalog.ts';
import type { TemplatesDeps } from '../deps.ts';
import { isSameRepository } from '../source/offered.ts';
import { originOf } from './record.ts';

/**
 * Checks in the catalog whether there is a newer template release for each installation, and saves the result. Stops at
 * the first request without a response from the catalog.
 */
export async function lookForNewer(core: TemplatesDeps, signal: AbortSignal): Promise<void> {
  const installed = listInstalls(core.store).filter((row) => row.installed_at !== null && row.uninstalled_at === null);
  for (const row of installed) {
    const origin = originOf(row);
    const { kind, owner, name, commit } = origin;
    if (kind !== 'catalog' || owner === null || name === null) continue;
    try {
      const { release, icon_url } = await core.catalog.template(owner, name, signal);
      const isNewer = release.commit !== commit && isSameRepository(origin, repositoryIdOf(icon_url));
      note(core, row, isNewer ? release.tag : null);
    } catch (error) {
      if (!(error instanceof DavitError)) throw error;
      /*
       * If the catalog no longer contains the template, leave the installation unchanged and continue with the next
       * installation.
       */
      if (error.code !== 'not_found') return;
    }
  }
}

function note({ store, now }: TemplatesDeps, row: InstallRow, newer: string | null): void {
  if (row.newer !== newer) store.tx((tx) => changeInstall(tx, row.id, { newer }, now()));
}
