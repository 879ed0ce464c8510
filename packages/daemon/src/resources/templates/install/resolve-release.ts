/** Replaces references in a template release, such as the host of a database, with their current values. */
import type { OpContext } from '../../../auth/context.ts';
import type { TemplatesDeps } from '../deps.ts';
import type { Build } from './build.ts';
import { contextOf, type InstallWork } from './context.ts';
import { databaseValues } from './databases.ts';
import { consentOf } from './kept-volumes.ts';
import { type InstalledRelease, type InstallRecord, secretInputs, wantedIn } from './record.ts';
import { storeValues } from './stores.ts';

/** Returns a template release and the current values for its placeholders, such as the host of a database. */
export function sideOf(
  core: TemplatesDeps,
  ctx: OpContext,
  { id: installId, place: target, adopt, ...release }: InstallRecord,
): Pick<Build, 'wanted' | 'values' | 'chosen'> {
  const wanted = wantedIn({ ...release, place: target, adopt });
  const chosen = { stores: release.stores ?? {}, databases: adopt.numbers ?? {} };
  const side = { core, ctx, installId, wanted };
  const values = {
    inputs: release.answers,
    apps: wanted.values,
    databases: databaseValues(side),
    stores: storeValues({ ...side, answers: release.answers, chosen }),
  };
  return { wanted, values, chosen };
}

/**
 * Returns the data that the installation steps need for one release.
 * @param release the installed release (default), the next release, or the previous release
 */
export function buildOf(task: InstallWork, record: InstallRecord, release: InstalledRelease = record): Build {
  const { core } = task;
  const ctx = contextOf(task);
  const { id, place: target, adopt } = record;
  const side = sideOf(core, ctx, { ...release, id, place: target, adopt });
  const secrets = secretInputs(release.manifest);
  const adopts = consentOf(adopt, ctx.actor);
  return { task, core, ctx, installId: id, ...side, isBack: false, secretInputs: secrets, adopts };
}
