/**
 * Kind of task that updates the Docker image of a database to a newer image of the same version. The restart of the
 * database server takes some seconds.
 */
import { setDatabase } from '../../../db/tables/managed-database.ts';
import type { TaskKind } from '../../tasks/kind.ts';
import type { OfDatabase } from '../base.ts';
import type { DatabasesDeps } from '../deps.ts';
import { type DatabaseStep, type DatabaseWork, newContainer, published, ready } from '../steps.ts';

export interface UpdatingImage extends OfDatabase {
  /** Docker image id of the new image. */
  imageId: string;
  /** Docker image id before the update. */
  before: string | null;
}

type Work = DatabaseWork<UpdatingImage>;

const image: DatabaseStep<UpdatingImage> = {
  name: 'image',
  run: async (work) => record(work, work.input.imageId),
  undo: async (work) => record(work, work.input.before),
};

function record({ core, input }: Work, imageId: string | null): void {
  core.store.tx((tx) => setDatabase(tx, input.database, { image_id: imageId }));
}

/**
 * Task step that starts a container with the new image. An undo first restores the old image id in the database row,
 * because Davit creates the container from the row.
 */
const container: DatabaseStep<UpdatingImage> = {
  ...newContainer,
  async undo(work) {
    record(work, work.input.before);
    await newContainer.undo(work);
  },
};

export const updateKind: TaskKind<UpdatingImage, DatabasesDeps> = {
  kind: 'database.update',
  steps: () => [image, container, ready, published],
};
