/** What the steps of an installation work with: a release with everything that is known of the instance for it. */
import type { OpContext } from '../../context.ts';
import type { Values } from '../../installs/plan/references.ts';
import type { Wanted } from '../../installs/plan/wanted.ts';
import type { AppTarget } from '../../release/app-target.ts';
import type { VolumeRow } from '../../store/volume.ts';
import type { Core } from '../core.ts';
import { contextOf, type Work } from './context.ts';
import { databaseValues } from './databases.ts';
import { type InstalledRelease, type InstallRecord, secretInputs, wantedIn } from './record.ts';
import { storeValues } from './stores.ts';

export interface Build {
  task: Work<unknown>;
  core: Core;
  ctx: OpContext;
  installId: number;
  wanted: Wanted;
  /** Of what there is by now: databases that are not made yet are nothing. */
  values: Values;
  secretInputs: ReadonlySet<string>;
  /** Whether a kept volume of an app that was called the same is used for one. */
  adopts: (volume: VolumeRow, app: AppTarget) => boolean;
}

/** A release with what stands in the place of its references by now. */
export function sideOf(
  core: Core,
  ctx: OpContext,
  { place, adopt, ...release }: InstalledRelease & Pick<InstallRecord, 'place' | 'adopt'>,
): Pick<Build, 'wanted' | 'values'> {
  const wanted = wantedIn({ ...release, place, adopt });
  const values = {
    inputs: release.answers,
    apps: wanted.values,
    databases: databaseValues(core, ctx, wanted),
    stores: storeValues(core, wanted, release.answers),
  };
  return { wanted, values };
}

/** @param release the one that is installed, another one, or the one before */
export function buildOf(task: Work<unknown>, record: InstallRecord, release: InstalledRelease = record): Build {
  const { core } = task;
  const ctx = contextOf(task);
  const { place, adopt } = record;
  const side = sideOf(core, ctx, { ...release, place, adopt });
  const secrets = secretInputs(release.manifest);
  return { task, core, ctx, installId: record.id, ...side, secretInputs: secrets, adopts: adoptsFor(adopt) };
}

/** As was asked for, of what whoever asked could see: a project of the same name need not be the one of then. */
function adoptsFor({ volumes, projects = null }: InstallRecord['adopt']): Build['adopts'] {
  return ({ project_id: projectId }) => volumes && (projects === null || projects.includes(projectId));
}
