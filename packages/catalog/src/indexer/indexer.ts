import type { Logger } from '@davit/service';
import { checkTemplateBytes, VALIDATOR_VERSION } from '@davit/template';
import type { CatalogConfig } from '../config/config.ts';
import type { IconEncoder } from '../icons/icon-encoder.ts';
import { SourceUnavailable, type TemplateSource } from '../source/source.ts';
import type { CrawlRecords, PassReport } from '../store/types.ts';
import { Pass } from './pass.ts';
import { ReleaseReader, type Validator } from './release.ts';

/** Minimum time in milliseconds between the end of an indexing run and the start of the next one. */
const MARGIN_MS = 10_000;
/**
 * Fraction of an indexing run's maximum time that is available for reading releases. The remaining time is for listing
 * the repositories and publishing the index.
 */
const READING_PART = 0.75;

export interface IndexerOptions {
  config: Pick<CatalogConfig, 'topics' | 'intervalS'>;
  source: TemplateSource;
  records: CrawlRecords;
  icons: Pick<IconEncoder, 'encode'>;
  log: Logger;
  /** Clock for the timestamps in reports of indexing runs. Default: the system clock. */
  clock?: () => Date;
  /** Checks template files. Default: the validator of `@davit/template`. */
  validator?: Validator;
  /**
   * Time in milliseconds after which an indexing run stops reading releases. Default: three quarters of the run's
   * maximum time.
   */
  readingMs?: number;
}

export interface PassOutcome {
  report: PassReport;
  /** Number of the published index. `null` if the indexing run failed and therefore published nothing. */
  index: number | null;
}

/** Reads templates from a source, such as GitHub, and writes the catalog database. */
export interface Indexer {
  /**
   * Performs one complete indexing run and publishes the new index. Never throws. If the run fails, the returned report
   * contains the error.
   */
  passOnce(signal: AbortSignal): Promise<PassOutcome>;
}

export function createIndexer(options: IndexerOptions): Indexer {
  const { source, records, icons, validator = VALIDATOR } = options;
  const hasIcon = (hash: string) => records.hasIcon(hash);
  const releases = new ReleaseReader({ source, validator, icons, hasIcon });
  return { passOnce: (signal) => passOnce({ ...options, validator, releases }, signal) };
}

const VALIDATOR: Validator = { version: VALIDATOR_VERSION, check: checkTemplateBytes };

type Parts = IndexerOptions & { validator: Validator; releases: ReleaseReader };

async function passOnce(parts: Parts, stop: AbortSignal): Promise<PassOutcome> {
  const { config, records, log, clock = () => new Date() } = parts;
  const limitMs = config.intervalS * 1000 - MARGIN_MS;
  const { readingMs = limitMs * READING_PART } = parts;
  const limit = AbortSignal.timeout(limitMs);
  const began = performance.now();
  const startedAt = timeOf(clock());
  const isLate = () => performance.now() - began > readingMs;
  const pass = new Pass({ ...parts, topics: config.topics, signal: AbortSignal.any([stop, limit]), isLate });
  const reportOf = (error: string | null) => ({ startedAt, finishedAt: timeOf(clock()), ...pass.counts, error });
  try {
    await pass.run();
    const report = reportOf(null);
    log.debug(pass.counts, 'index is ready to be published');
    const index = records.publish(report);
    const { counts, left } = pass;
    log.info({ index, ...counts, left, took_ms: Math.round(performance.now() - began) }, 'indexing run finished');
    return { report, index };
  } catch (error) {
    const report = reportOf(reasonOf(error, stop, limit, config.intervalS));
    if (stop.aborted) log.info('indexing run was stopped; the next run continues');
    else noteFailure(parts, report, error);
    return { report, index: null };
  }
}

/**
 * Saves the report of a failed indexing run. The catalog keeps serving the previous index. The next successful run also
 * publishes the changes that the failed run saved.
 */
function noteFailure({ records, log }: Parts, report: PassReport, error: unknown): void {
  const isExpected = error instanceof SourceUnavailable || (error as Error).name === 'TimeoutError';
  log[isExpected ? 'warn' : 'error']({ ...report, error }, 'indexing run failed; the index is unchanged');
  try {
    records.notePass(report);
  } catch (noted) {
    log.error({ error: noted }, 'report of the indexing run could not be stored; check the disk');
  }
}

function reasonOf(error: unknown, stop: AbortSignal, limit: AbortSignal, intervalS: number): string {
  if (stop.aborted) return 'The indexer was stopped.';
  if (limit.aborted) return `The indexing run took longer than the interval between two runs (${intervalS} s).`;
  return error instanceof SourceUnavailable
    ? `The source cannot be listed: ${error.message}`
    : `The indexing run failed: ${(error as Error).message}`;
}

function timeOf(moment: Date): string {
  return moment.toISOString().replace(/\.\d+Z$/, 'Z');
}
