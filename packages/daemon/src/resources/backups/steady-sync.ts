import type { FileHandle } from 'node:fs/promises';

const EVERY_BYTES = 16 * 1024 * 1024;

/**
 * Writes the data of a file to the disk with `fsync` at regular intervals. At the end of the file, the last `fsync`
 * then takes only a short time.
 */
export class SteadySync {
  readonly #file: FileHandle;
  #unsent = 0;
  #sending: Promise<void> | null = null;
  #failure: { error: unknown } | null = null;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Adds up the written bytes and starts an `fsync` after every 16 MiB. The function does not wait for the `fsync`. */
  wrote(bytes: number): void {
    this.#unsent += bytes;
    if (this.#unsent < EVERY_BYTES || this.#sending !== null) return;
    this.#unsent = 0;
    this.#sending = this.#file
      .datasync()
      .catch((error: unknown) => {
        /*
         * Save the error of an `fsync`, because the operating system reports the error only once. A later `fsync` may
         * succeed although data is lost.
         */
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#sending = null;
      });
  }

  /**
   * Waits until all bytes of the file are on the disk.
   * @throws the error of any `fsync`
   */
  async finish(): Promise<void> {
    await this.#sending;
    if (this.#failure !== null) throw this.#failure.error;
    await this.#file.sync();
  }
}
