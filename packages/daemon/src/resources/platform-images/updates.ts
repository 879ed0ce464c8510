/**
 * Checks daily for newer packages, rebuilds images of this instance and replaces containers. SQLite stores the
 * progress, so that Davit can continue after a crash.
 */
import type { PlatformProblemCode } from '@davit/api';
import { EngineUnavailable } from '../../adapters/engine/errors.ts';
import {
  type PlatformImage,
  PlatformImageFailed,
  type PlatformImageMaker,
  type PlatformImageRecord,
  type PlatformImageRecords,
  PlatformImageRefused,
} from '../../adapters/engine/platform-images.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Delay in milliseconds before a failed check for newer packages is repeated. */
const AGAIN_MS = 60 * 60_000;
/**
 * Delay in milliseconds between the start of the daemon and the first check for newer packages. At the start, the
 * daemon has more urgent work.
 */
const AFTER_START_MS = 5 * 60_000;

export interface UpdatesOptions {
  maker: PlatformImageMaker;
  records: PlatformImageRecords;
  /** Returns whether automatic checks for newer packages are enabled. */
  isEnabled: () => boolean;
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number;
  /** Monotonic clock in milliseconds. It does not change when the system time is set. */
  running: () => number;
  /**
   * Returns a map from id to name of the images that databases still use. Returns `null` if these images are unknown.
   * Davit must not remove the images.
   */
  needed: () => Map<string, string> | null;
  /**
   * Returns the names of the images that are in use. Davit builds an image in this list if the image does not exist
   * yet.
   */
  inUse: () => readonly string[];
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
}

export type CheckFailureCode = PlatformProblemCode;

export interface CheckState {
  running: boolean;
  /**
   * Earliest time of the last checks of all images, in milliseconds since the epoch. The value is `null` if there are
   * no images, or if an image was never checked.
   */
  checkedAt: number | null;
  /** Error of the last check for newer packages, or `null` if the check succeeded. */
  failure: { code: CheckFailureCode; at: number } | null;
}

export class PlatformUpdates implements AsyncDisposable {
  readonly #options: UpdatesOptions;
  readonly #stopping = new AbortController();
  readonly #startedAt: number;
  #checking: Promise<void> | null = null;
  #failure: CheckState['failure'] = null;

  constructor(options: UpdatesOptions) {
    this.#options = options;
    this.#startedAt = options.running();
  }

  state(): CheckState {
    const times = this.records().map(({ checkedAt }) => checkedAt);
    const checkedAt = times.length === 0 || times.includes(null) ? null : Math.min(...times.map(Number));
    return { running: this.#checking !== null, checkedAt, failure: this.#failure };
  }

  /** Returns the container images that this instance builds, sorted by name. */
  records(): PlatformImageRecord[] {
    const names = this.#options.maker.names();
    return this.#options.records.all().filter(({ name }) => names.includes(name));
  }

  /**
   * Starts a check for newer packages. If a check is already running, waits for the running check. Resolves at the end
   * of the check, even if the check failed.
   */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  /**
   * Continues an interrupted replacement of containers. If the last check for newer packages was too long ago, starts a
   * check.
   */
  async pass(): Promise<void> {
    if (this.#checking !== null) return this.#checking;
    for (const { name, previous } of this.records())
      if (previous !== null) await this.#attempt(name, () => this.#finish(name));
    if (this.#isDue()) await this.check();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(new Error('the daemon is stopping'));
    await this.#checking;
  }

  #isDue(): boolean {
    const { isEnabled, now, running } = this.#options;
    if (!isEnabled() || running() - this.#startedAt < AFTER_START_MS) return false;
    const { checkedAt, failure } = this.state();
    if (failure !== null) return Math.abs(now() - failure.at) >= AGAIN_MS;
    return this.records().length > 0 && Math.abs(now() - (checkedAt ?? 0)) >= DAY_MS;
  }

  /** Runs a check for newer packages. Never rejects, because after a user's request no code waits for the result. */
  async #check(): Promise<void> {
    this.#failure = null;
    await this.#attempt('check', () => this.#checkAll());
  }

  async #checkAll(): Promise<void> {
    const { maker, inUse } = this.#options;
    const signal = this.#stopping.signal;
    const isFresh = await this.#attempt('package lists', () => maker.refresh(signal));
    if (!isFresh) return;
    const names = maker.names().filter((name) => inUse().includes(name) || this.#find(name) !== null);
    for (const name of names) await this.#attempt(name, () => this.#update(name));
    await this.#collect();
  }

  async #update(name: string): Promise<void> {
    const { maker, now } = this.#options;
    const signal = this.#stopping.signal;
    // Build the image if it is missing, or if an earlier Davit version built it with other instructions.
    await maker.ensure(name);
    const record = this.#record(name);
    if (record.previous !== null) await this.#finish(name);
    const { packages } = this.#record(name);
    const available = await maker.newer(packages, signal);
    // An image of an earlier Davit version has no package list in SQLite, so build the image again.
    if (available.length > 0 || packages.length === 0) {
      this.#put(name, { available });
      await this.#replace(name);
    }
    this.#put(name, { checkedAt: now(), available: [] });
  }

  async #replace(name: string): Promise<void> {
    const { maker, log } = this.#options;
    const signal = this.#stopping.signal;
    const made = (await this.#keptBack(name)) ?? (await maker.make(name, signal));
    try {
      await maker.verify(name, made.imageId, signal);
    } catch (error) {
      if (!(error instanceof PlatformImageRefused)) throw error;
      log.warn(
        { error, image: name },
        'an updated image, for example of the proxy or a database, does not work; the earlier image stays in use',
      );
      this.#put(name, { keptBack: made });
      return;
    }
    const { imageId, recipe, packages, builtAt } = this.#record(name);
    this.#put(name, { ...made, previous: { imageId, recipe, packages, builtAt }, keptBack: null });
    await this.#finish(name);
  }

  /**
   * Returns the last built image if it did not work. Returns `null` if newer packages are available, because Davit then
   * builds a new image.
   */
  async #keptBack(name: string): Promise<PlatformImage | null> {
    const { keptBack } = this.#record(name);
    if (keptBack === null) return null;
    return (await this.#options.maker.newer(keptBack.packages, this.#stopping.signal)).length === 0 ? keptBack : null;
  }

  /**
   * Replaces running containers with containers of the new image. If the new image does not work, starts containers of
   * the previous image again.
   */
  async #finish(name: string): Promise<void> {
    const { maker, log } = this.#options;
    const signal = this.#stopping.signal;
    try {
      await maker.rollOut(name, signal);
    } catch (error) {
      if (!(error instanceof PlatformImageRefused)) throw error;
      log.warn(
        { error, image: name },
        'an updated image, for example of the proxy or a database, could not be deployed; Davit uses the earlier image again',
      );
      const { previous, imageId, recipe, packages, builtAt } = this.#record(name);
      if (previous === null) return;
      this.#put(name, { ...previous, previous: null, available: [], keptBack: { imageId, recipe, packages, builtAt } });
      await maker.rollOut(name, signal);
      return;
    }
    this.#put(name, { previous: null, available: [], keptBack: null });
    log.info(
      { image: name, packages: this.#record(name).packages },
      'an updated image, for example of the proxy or a database, is now in use',
    );
  }

  /** Removes images that are not used. If an image cannot be removed, the next check tries again. */
  async #collect(): Promise<void> {
    const { maker, needed, log } = this.#options;
    const used = needed();
    if (used === null) return;
    for (const { name, imageId, previous, keptBack } of this.records()) {
      for (const image of [{ imageId }, previous, keptBack]) if (image !== null) used.set(image.imageId, name);
    }
    await maker
      .collect(used)
      .catch((error: unknown) =>
        log.warn({ error }, 'unused images of the proxy and other components could not be removed'),
      );
  }

  /**
   * Runs one step of the check for newer packages. Logs an error instead of throwing it. The API shows only the first
   * error of a check.
   * @returns whether the step succeeded
   */
  async #attempt(what: string, work: () => Promise<unknown>): Promise<boolean> {
    const { log, now } = this.#options;
    try {
      await work();
      return true;
    } catch (error) {
      if (this.#stopping.signal.aborted) return false;
      log.warn({ error, what }, 'the check for security updates failed; the images are unchanged');
      this.#failure ??= { code: codeOf(error), at: now() };
      return false;
    }
  }

  #find(name: string): PlatformImageRecord | null {
    return this.#options.records.find(name);
  }

  #record(name: string): PlatformImageRecord {
    const record = this.#find(name);
    if (record === null) throw new Error(`there is no record of the platform image ${name}`);
    return record;
  }

  /**
   * Changes fields of an image's row in SQLite. Reads the row again first, because the image builder may have changed
   * other fields.
   */
  #put(name: string, change: Partial<PlatformImageRecord>): void {
    this.#options.records.put({ ...this.#record(name), ...change });
  }
}

function codeOf(error: unknown): CheckFailureCode {
  if (error instanceof PlatformImageFailed) return error.code;
  return error instanceof EngineUnavailable ? 'engine_unavailable' : 'build_failed';
}
