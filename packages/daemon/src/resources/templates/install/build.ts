/** Input of the installation steps: a release together with the data of the instance that the release needs. */

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
  /** Values for references. Only databases and stores that exist now have values. */
  values: Values;
  /** Ids of the databases and stores that the user chose by name. A different one can have the name later. */
  chosen: ChosenThings;
  /**
   * Whether this build restores an earlier state. Restoring requires no rights to the attached databases and stores.
   */
  isBack: boolean;
  secretInputs: ReadonlySet<string>;
  /**
   * Returns whether the user consents to the adoption of a kept volume of an earlier app with the same reference. An
   * installation needs no consent for the volumes of its own apps.
   */
  adopts: (volume: VolumeRow) => boolean;
}

/** Data that the removal of an installation's parts needs. */
export type InstallRemoval = Pick<Build, 'core' | 'ctx' | 'installId'>;
