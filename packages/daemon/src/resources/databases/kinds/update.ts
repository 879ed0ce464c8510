/** Task kind that moves a database to a newer image of the same version. The server restart takes some seconds. */
import { setDatabase } from '../../../db/tables/managed-database.ts';
import type { TaskKind } from '../../tasks/kind.ts';
import type { OfDatabase } from '../base.ts';
import type { DatabasesDeps } from '../deps.ts';
import { type DatabaseStep, type DatabaseWork, newContainer, published, ready } from '../steps.ts';

export interface UpdatingImage extends OfDatabase {
  /** Docker Engine's id of the new image. `before` is the id of the previous image. */
  imageId: string;
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
 * Step that starts a container with the new image. The undo first restores the image id in the database row, because
 * the container is made from the row. The undo of the step `image` would restore it too late, because undos run in
 * reverse order.
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
