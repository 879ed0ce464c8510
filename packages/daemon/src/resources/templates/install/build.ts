/**
 * Input of the installation steps. It contains the template release to install, and values that depend on this
 * instance, such as database addresses.
 */

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
  /**
   * Values that replace template references, such as the host of a database. Databases and object stores that do not
   * exist yet have no values.
   */
  values: Values;
  /**
   * Ids of the databases and object stores that the user chose. Names are not enough, because a new database or object
   * store can have the name of a deleted one.
   */
  chosen: ChosenThings;
  /**
   * Whether the task undoes a failed change. In this case, attachments are restored without a permission check, because
   * they existed before the change.
   */
  isBack: boolean;
  secretInputs: ReadonlySet<string>;
  /**
   * Returns whether the user allows the reuse of a deleted app's volume. The installation's own volumes need no
   * permission.
   */
  adopts: (volume: VolumeRow) => boolean;
}

/** Data that is needed to remove the apps, databases and other resources of an installation. */
export type InstallRemoval = Pick<Build, 'core' | 'ctx' | 'installId'>;
