/** Input of the installation steps: a template release and the data of the instance that the release needs. */

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
  /** Values for references in the template. Databases and object stores that do not exist yet have no values. */
  values: Values;
  /** Ids of the databases and object stores that the user chose by name. Another one can get the name later. */
  chosen: ChosenThings;
  /**
   * Whether this build restores an earlier state after a failure. A restore requires no rights to the attached
   * databases and object stores.
   */
  isBack: boolean;
  secretInputs: ReadonlySet<string>;
  /**
   * Returns whether the user consents to adopt a kept volume of an earlier app with the same reference. The
   * installation needs no consent for volumes of its own apps.
   */
  adopts: (volume: VolumeRow) => boolean;
}

/** Data that is needed to remove the parts of an installation. */
export type InstallRemoval = Pick<Build, 'core' | 'ctx' | 'installId'>;
