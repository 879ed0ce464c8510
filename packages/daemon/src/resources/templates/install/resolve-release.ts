/** A release with what its references stand for at this moment. */
import type { Actor, OpContext } from '../../../auth/context.ts';
import { sees } from '../../../authorization/lookup.ts';
import type { TemplatesDeps } from '../deps.ts';
import type { Build } from './build.ts';
import { contextOf, type InstallWork } from './context.ts';
import { databaseValues } from './databases.ts';
import { type InstalledRelease, type InstallRecord, secretInputs, wantedIn } from './record.ts';
import { storeValues } from './stores.ts';

/** A release with what stands in the place of its references by now. */
export function sideOf(
  core: TemplatesDeps,
  ctx: OpContext,
  { id: installId, place, adopt, ...release }: InstallRecord,
): Pick<Build, 'wanted' | 'values' | 'chosen'> {
  const wanted = wantedIn({ ...release, place, adopt });
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

/** @param release the one that is installed, another one, or the one before */
export function buildOf(task: InstallWork, record: InstallRecord, release: InstalledRelease = record): Build {
  const { core } = task;
  const ctx = contextOf(task);
  const { id, place, adopt } = record;
  const side = sideOf(core, ctx, { ...release, id, place, adopt });
  const secrets = secretInputs(release.manifest);
  const adopts = adoptsFor(adopt, ctx.actor);
  return { task, core, ctx, installId: id, ...side, isBack: false, secretInputs: secrets, adopts };
}

/**
 * Adopts volumes on request, only from projects that the user could see at the request and can see now: another project
 * may have the same name by now.
 */
function adoptsFor({ volumes, projects = null }: InstallRecord['adopt'], actor: Actor): Build['adopts'] {
  return ({ project_id: id }) => volumes && (projects === null || projects.includes(id)) && sees(actor, id);
}
