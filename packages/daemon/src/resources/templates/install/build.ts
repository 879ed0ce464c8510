/** What the steps of an installation work with: a release with everything that is known of the instance for it. */

import type { AppTarget } from '../../../app-spec/app-target.ts';
import type { OpContext } from '../../../auth/context.ts';
import type { VolumeRow } from '../../../db/tables/volume.ts';
import type { TemplatesDeps } from '../deps.ts';
import type { Values } from '../plan/references.ts';
import type { Wanted } from '../plan/wanted.ts';
import type { InstallWork } from './context.ts';
import type { ChosenThings } from './record.ts';

export interface Build {
  task: InstallWork;
  core: TemplatesDeps;
  ctx: OpContext;
  installId: number;
  wanted: Wanted;
  /** Of what there is by now: databases that are not made yet are nothing. */
  values: Values;
  /** Numbers of the things that were chosen by name. Another thing may have such a name by now. */
  chosen: ChosenThings;
  /** Whether this restores what was there before, which needs no rights to it. */
  isBack: boolean;
  secretInputs: ReadonlySet<string>;
  /** Whether a kept volume of an app that was called the same is used for one. */
  adopts: (volume: VolumeRow, app: AppTarget) => boolean;
}

/** What it takes to remove what an installation made. */
export type InstallRemoval = Pick<Build, 'core' | 'ctx' | 'installId'>;
