import type { Logger } from '@davit/service';
import { checkTemplateBytes, VALIDATOR_VERSION } from '@davit/template';
import type { CatalogConfig } from '../config/config.ts';
import type { IconEncoder } from '../icons/icon-encoder.ts';
import { SourceUnavailable, type TemplateSource } from '../source/source.ts';
import type { CrawlRecords, PassReport } from '../store/types.ts';
import { Pass } from './pass.ts';
import { ReleaseReader, type Validator } from './release.ts';

/** Before the next pass is due. */
const MARGIN_MS = 10_000;
/** The part of its time in which a pass reads releases. The rest is for listing what is left, and for publishing. */
const READING_PART = 0.75;

export interface IndexerOptions {
  config: Pick<CatalogConfig, 'topics' | 'intervalS'>;
  source: TemplateSource;
  records: CrawlRecords;
  icons: Pick<IconEncoder, 'encode'>;
  log: Logger;
  /** For the times in reports; absent: the machine's. */
  clock?: () => Date;
  /** Absent: the one that there is. */
  validator?: Validator;
  /** For how long a pass reads releases; absent: three quarters of the time that it has. */
  readingMs?: number;
}

export interface PassOutcome {
  report: PassReport;
  /** The number of the index that readers see now; null: the pass ended early and published none. */
  index: number | null;
}

/** Keeps a store in step with a source, a pass at a time. */
export interface Indexer {
  /** Looks at everything once and publishes it. Never throws: what stopped it is in the report. */
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
    log.debug(pass.counts, 'the index is to be published');
    const index = records.publish(report);
    const { counts, left } = pass;
    log.info({ index, ...counts, left, took_ms: Math.round(performance.now() - began) }, 'a pass has ended');
    return { report, index };
  } catch (error) {
    const report = reportOf(reasonOf(error, stop, limit, config.intervalS));
    if (stop.aborted) log.info('a pass was stopped: the next one goes on where it was');
    else noteFailure(parts, report, error);
    return { report, index: null };
  }
}

/** Readers keep what they have; what was noted is shown to them by the next pass that comes to its end. */
function noteFailure({ records, log }: Parts, report: PassReport, error: unknown): void {
  const isExpected = error instanceof SourceUnavailable || (error as Error).name === 'TimeoutError';
  log[isExpected ? 'warn' : 'error']({ ...report, error }, 'a pass ended early: the index stays as it was');
  try {
    records.notePass(report);
  } catch (noted) {
    log.error({ error: noted }, 'a pass cannot be noted: see whether the disk is full');
  }
}

function reasonOf(error: unknown, stop: AbortSignal, limit: AbortSignal, intervalS: number): string {
  if (stop.aborted) return 'The indexer was told to stop.';
  if (limit.aborted) return `The source took longer than the ${intervalS} s between passes.`;
  return error instanceof SourceUnavailable
    ? `The source cannot be listed: ${error.message}`
    : `The pass failed: ${(error as Error).message}`;
}

function timeOf(moment: Date): string {
  return moment.toISOString().replace(/\.\d+Z$/, 'Z');
}
