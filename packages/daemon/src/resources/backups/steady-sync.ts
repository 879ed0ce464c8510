import type { FileHandle } from 'node:fs/promises';

const EVERY_BYTES = 16 * 1024 * 1024;

/** Sends a file to the disk while more of it is written, so that little is left to wait for at its end. */
export class SteadySync {
  readonly #file: FileHandle;
  #unsent = 0;
  #sending: Promise<void> | null = null;
  #failure: { error: unknown } | null = null;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** To be told of what was written; it waits for nothing. */
  wrote(bytes: number): void {
    this.#unsent += bytes;
    if (this.#unsent < EVERY_BYTES || this.#sending !== null) return;
    this.#unsent = 0;
    this.#sending = this.#file
      .datasync()
      .catch((error: unknown) => {
        // The disk tells of it once: the sync at the end may find nothing wrong any more.
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#sending = null;
      });
  }

  /** Resolves when all of it is on the disk. */
  async finish(): Promise<void> {
    await this.#sending;
    if (this.#failure !== null) throw this.#failure.error;
    await this.#file.sync();
  }
}
