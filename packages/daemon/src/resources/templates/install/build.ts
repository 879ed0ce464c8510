/**
 * Input of the installation steps: the template release to install, and values that depend on this instance, such as
 * database addresses.
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
   * Ids of the databases and object stores that the user chose. A name is not enough, because another one can later get
   * the same name.
   */
  chosen: ChosenThings;
  /**
   * Whether the task undoes a failed change. Davit then skips the permission check for attachments, because they
   * existed before the change.
   */
  isBack: boolean;
  secretInputs: ReadonlySet<string>;
  /**
   * Returns whether the user allows the reuse of this volume of a deleted app. The installation's own volumes need no
   * permission.
   */
  adopts: (volume: VolumeRow) => boolean;
}

/** Data that is needed to remove the apps, databases and other resources of an installation. */
export type InstallRemoval = Pick<Build, 'core' | 'ctx' | 'installId'>;
