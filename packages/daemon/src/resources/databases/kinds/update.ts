/** A database goes over to a newer image of the same version, in a restart of some seconds. */
import { setDatabase } from '../../../db/tables/managed-database.ts';
import type { TaskKind } from '../../tasks/kind.ts';
import type { OfDatabase } from '../base.ts';
import type { DatabasesDeps } from '../deps.ts';
import { type DatabaseStep, type DatabaseWork, newContainer, published, ready } from '../steps.ts';

export interface UpdatingImage extends OfDatabase {
  /** The engine's ids of the images. */
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

/** The container of the undo is made by what is on record, which the first step changes back last. */
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
