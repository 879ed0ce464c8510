import type { AppsDeps } from '../apps/deps.ts';
import type { DatabasesDeps } from '../databases/deps.ts';
import type { ObjectStoresDeps } from '../object-stores/deps.ts';
import type { TasksDeps } from '../tasks/deps.ts';
import type { VolumesDeps } from '../volumes/deps.ts';

export interface ProjectsDeps extends AppsDeps {
  /** Starts a measurement of the projects' disk usage. Called after the change of a quota. */
  nudgeQuotas: () => void;
}

/** Dependencies of the functions that delete a project with its contents. */
export interface ProjectDeletionDeps extends ProjectsDeps, DatabasesDeps, ObjectStoresDeps, TasksDeps, VolumesDeps {}
