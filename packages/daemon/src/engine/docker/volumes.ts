import type { Volume } from '../engine.ts';
import type { DockerContext } from './context.ts';

/** The named volumes of this Davit. */
export class DockerVolumes {
  readonly #context: DockerContext;

  constructor(context: DockerContext) {
    this.#context = context;
  }

  async ensure(_name: string, _app: string): Promise<void> {
    throw new Error(`not made yet for ${this.#context.davitId}`);
  }

  async remove(_name: string): Promise<void> {
    throw new Error('not made yet');
  }

  async list(): Promise<Volume[]> {
    throw new Error('not made yet');
  }

  async size(_name: string, _signal?: AbortSignal): Promise<number | null> {
    throw new Error('not made yet');
  }
}
