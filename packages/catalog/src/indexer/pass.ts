import type { Logger } from '@davit/service';
import {
  type Recorded,
  type SourceRelease,
  type SourceRepository,
  SourceUnavailable,
  type TemplateSource,
} from '../source/source.ts';
import type { CrawlRecords, Hidden, PassReport, RecordedRelease } from '../store/types.ts';
import { Lanes } from './lanes.ts';
import { Notes } from './notes.ts';
import { type Judged, judgeAgain, type ReleaseReader, type Validator } from './release.ts';

/**
 * Number of releases that an indexing run reads concurrently. Eight releases keep Git, the icon encoder and the
 * validator busy.
 */
const RELEASES_AT_ONCE = 8;
/**
 * Maximum number of failed releases that an indexing run logs above the level `debug`. Otherwise, an unreachable host
 * would cause thousands of similar log lines.
 */
const MAX_LOGGED_FAILURES = 20;

export type Counts = Pick<PassReport, 'repositories' | 'accepted' | 'rejected' | 'hidden' | 'failed'>;

export interface PassOptions {
  topics: readonly string[];
  source: TemplateSource;
  records: CrawlRecords;
  releases: ReleaseReader;
  validator: Validator;
  log: Logger;
  signal: AbortSignal;
  /**
   * Returns whether the time for reading releases in this indexing run has expired. The next run reads the remaining
   * releases.
   */
  isLate(): boolean;
}

/**
 * One indexing run. It writes each result to the catalog database immediately. The caller publishes all results as a
 * new index.
 */
export class Pass {
  readonly counts: Counts = { repositories: 0, accepted: 0, rejected: 0, hidden: 0, failed: 0 };
  /**
   * Number of releases that this indexing run did not read because its time expired. The next run reads these releases.
   */
  left = 0;
  readonly #options: PassOptions;
  readonly #blocked: ReadonlySet<string>;
  readonly #lanes: Lanes;
  readonly #notes: Notes;
  readonly #recorded: Recorded;

  constructor(options: PassOptions) {
    this.#options = options;
    this.#blocked = options.records.blocked();
    this.#lanes = new Lanes(RELEASES_AT_ONCE, options.signal);
    // After an abort, the catalog database may already be closed. Therefore, an aborted indexing run writes nothing.
    this.#notes = new Notes((work) => options.signal.aborted || options.records.together(work));
    this.#recorded = (repository) => options.records.recorded(repository);
  }

  /**
   * Performs the indexing run.
   * @throws SourceUnavailable if the source cannot list its Git repositories
   * @throws the abort reason of the signal
   */
  async run(): Promise<void> {
    const { source, records, signal } = this.#options;
    const shown = new Set<number>();
    for await (const batch of source.repositories(signal, this.#recorded)) {
      for (const repository of batch) {
        signal.throwIfAborted();
        shown.add(repository.id);
        await this.#take(repository, null);
      }
    }
    const missed = records.known().filter(({ id }) => !shown.has(id));
    if (missed.length > 0) await this.#lookUp(missed);
    await this.#lanes.idle();
  }

  /**
   * Checks Git repositories of the catalog that the source no longer lists. Such a repository was deleted or renamed,
   * or it lost its GitHub topic.
   */
  async #lookUp(missed: Parameters<TemplateSource['lookUp']>[0]): Promise<void> {
    const { source, records, signal, topics } = this.#options;
    for await (const { id, repository } of source.lookUp(missed, signal, this.#recorded)) {
      signal.throwIfAborted();
      if (repository === null) {
        records.hide(id, 'gone');
        this.counts.hidden += 1;
        continue;
      }
      const isTagged = !source.listsByTopic || repository.topics.some((topic) => topics.includes(topic));
      await this.#take(repository, isTagged ? null : 'untagged');
    }
  }

  async #take(repository: SourceRepository, hidden: 'untagged' | null): Promise<void> {
    const { records, signal } = this.#options;
    const why = this.#whyHidden(repository) ?? hidden;
    this.counts.repositories += 1;
    // The database runs writes in the order of the calls. Therefore, the Git repository is saved before its releases.
    await this.#lanes.add(() => this.#notes.add(() => records.saveRepository(repository, why)));
    if (why !== null) {
      this.counts.hidden += 1;
      return;
    }
    const known = new Map(records.recorded(repository.id).map((one) => [keyOf(one), one]));
    let earlier = { publishedAt: '', noted: Promise.resolve() };
    for (const release of inTurn(repository.releases)) {
      const one = known.get(keyOf(release));
      if (!this.#isWanted(one)) continue;
      const { publishedAt } = release;
      const turn = earlier.publishedAt === publishedAt ? earlier.noted : Promise.resolve();
      const { promise: noted, resolve } = Promise.withResolvers<void>();
      await this.#lanes.add(() => this.#judge(repository, release, turn, one).finally(resolve));
      earlier = { publishedAt, noted };
      signal.throwIfAborted();
    }
  }

  #whyHidden({ owner, name, private: isPrivate }: SourceRepository): Hidden | null {
    if (isPrivate) return 'gone';
    const subject = owner.toLowerCase();
    return this.#blocked.has(subject) || this.#blocked.has(`${subject}/${name.toLowerCase()}`) ? 'blocked' : null;
  }

  /**
   * Returns whether a release must be checked. A new release must be checked, and a release with a result of an older
   * validator version. A release that had only `release.` or `icon.` errors is not checked again.
   */
  #isWanted(recorded: RecordedRelease | undefined): boolean {
    if (recorded === undefined) return true;
    if (recorded.validator >= this.#options.validator.version) return false;
    return recorded.status === 'accepted' || recorded.codes.some((code) => !/^(release|icon)\./.test(code));
  }

  /**
   * Reads and checks one release, waits for `turn`, and then records the result.
   * @param turn resolves when the previous release with the same publication time is recorded
   */
  async #judge(
    repository: SourceRepository,
    release: SourceRelease,
    turn: Promise<void>,
    known?: RecordedRelease,
  ): Promise<void> {
    const { signal, isLate, log } = this.#options;
    if (isLate()) {
      this.left += 1;
      return;
    }
    const subject = { repository: `${repository.owner}/${repository.name}`, tag: release.tag };
    let judged: Judged;
    try {
      judged = await this.#read(repository, release, known);
    } catch (error) {
      if (!signal.aborted) this.#fail(subject, error);
      return;
    }
    await turn;
    await this.#notes.add(() => this.#note(repository, release, judged));
    if (signal.aborted) return;
    this.counts[judged.judgement.status] += 1;
    log.debug({ ...subject, commit: release.commit, status: judged.judgement.status }, 'release was checked');
  }

  async #read(repository: SourceRepository, release: SourceRelease, known?: RecordedRelease): Promise<Judged> {
    const { records, releases, validator, signal } = this.#options;
    const parts = known?.status === 'accepted' ? records.accepted(repository.id, release.tag, release.commit) : null;
    if (parts !== null) return { judgement: judgeAgain(validator, parts) };
    return releases.read(repository, release.commit, signal);
  }

  #note({ id }: SourceRepository, release: SourceRelease, { judgement, icon }: Judged): void {
    const { records, validator } = this.#options;
    if (icon) records.saveIcon(icon.hash, icon.png);
    records.saveRelease(id, release, judgement, validator.version);
  }

  /**
   * Logs that a release could not be read or checked. The release is not recorded, so the next indexing run reads it
   * again.
   */
  #fail(subject: object, error: unknown): void {
    const { log } = this.#options;
    this.counts.failed += 1;
    const isHosts = error instanceof SourceUnavailable;
    const level = this.counts.failed > MAX_LOGGED_FAILURES ? 'debug' : isHosts ? 'warn' : 'error';
    const message = isHosts ? 'release could not be read' : 'release could not be checked because of an internal error';
    log[level]({ ...subject, error }, `${message}: the next indexing run tries again`);
  }
}

/**
 * Reverses the order of releases that have the same publication time, because the indexer must record the newest of
 * these releases last.
 */
function inTurn(releases: readonly SourceRelease[]): SourceRelease[] {
  const seconds = Map.groupBy(releases, ({ publishedAt }) => publishedAt);
  return [...seconds.values()].flatMap((ofOne) => ofOne.toReversed());
}

function keyOf({ tag, commit }: { tag: string; commit: string }): string {
  return `${commit} ${tag}`;
}
