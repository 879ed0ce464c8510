import type { FileHandle } from 'node:fs/promises';

const EVERY_BYTES = 16 * 1024 * 1024;

/**
 * Writes the data of a file to disk (`fsync`) at intervals while more bytes are written, so that the last `fsync` is
 * short.
 */
export class SteadySync {
  readonly #file: FileHandle;
  #unsent = 0;
  #sending: Promise<void> | null = null;
  #failure: { error: unknown } | null = null;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Counts written bytes and starts an `fsync` after every 16 MiB. Does not wait for it. */
  wrote(bytes: number): void {
    this.#unsent += bytes;
    if (this.#unsent < EVERY_BYTES || this.#sending !== null) return;
    this.#unsent = 0;
    this.#sending = this.#file
      .datasync()
      .catch((error: unknown) => {
        // Stores an `fsync` error, because the operating system reports it only once. A later `fsync` may succeed.
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#sending = null;
      });
  }

  /**
   * Waits until all bytes are on the disk.
   * @throws the error of any `fsync`
   */
  async finish(): Promise<void> {
    await this.#sending;
    if (this.#failure !== null) throw this.#failure.error;
    await this.#file.sync();
  }
}
