/** Runs Lighthouse in a Chromium that is already open, and reads its reports. */
import lighthouse, { desktopConfig } from 'lighthouse';

export type Device = 'desktop' | 'mobile';

const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;

export type Category = (typeof CATEGORIES)[number];

/** Time in milliseconds of a task that blocked the page, and the file that caused it. */
export interface LongTask {
  file: string;
  startMs: number;
  durationMs: number;
}

export interface LighthouseRun {
  /** Scores from 0 to 100. */
  scores: Record<Category, number>;
  /** Metric that costs the most points of the performance score, such as `Total Blocking Time 310 ms`. */
  worstMetric: string;
  /** All metrics of the performance score, such as `Speed Index 2.1 s`. */
  metrics: string[];
  /** Failed checks of accessibility and best practices. */
  failed: string[];
  /** Longest tasks first. For the preset of a phone, the times are those of a processor that is four times slower. */
  longTasks: LongTask[];
  /** The complete report as HTML. */
  html: string;
}

/** The parts of a report of Lighthouse that benchmarks use. */
interface Report {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, CheckResult>;
  runtimeError?: { message: string };
}

interface CheckResult {
  title: string;
  score: number | null;
  displayValue?: string;
  details?: { items?: { url?: string; startTime?: number; duration?: number }[] };
}

/**
 * Audits a page once with the preset of a device, with an empty cache. The cookies of the browser are kept.
 * @param port port of the browser's DevTools protocol
 * @throws Error if the page cannot be audited
 */
export async function audit(url: string, device: Device, port: number): Promise<LighthouseRun> {
  const flags = { port, logLevel: 'error' as const, output: 'html' as const, onlyCategories: [...CATEGORIES] };
  const result = await lighthouse(url, flags, device === 'desktop' ? desktopConfig : undefined);
  const report = result?.lhr as unknown as Report | undefined;
  if (result === undefined || report === undefined) throw new Error(`Lighthouse did not audit ${url}.`);
  if (report.runtimeError) throw new Error(`Lighthouse cannot audit ${url}: ${report.runtimeError.message}`);
  const [worst] = checksOf(report, 'performance').toSorted((a, b) => lostBy(b) - lostBy(a));
  return {
    scores: scoresOf(report),
    worstMetric: worst === undefined ? 'none' : inWords(worst),
    metrics: checksOf(report, 'performance').map(inWords),
    failed: [...checksOf(report, 'accessibility'), ...checksOf(report, 'best-practices')]
      .filter(({ score }) => score !== null && score < 1)
      .map(({ title }) => title),
    longTasks: longTasksIn(report),
    html: String(result.report),
  };
}

type Check = CheckResult & { weight: number };

/** Returns the checks that count for the score of a category. */
function checksOf(report: Report, category: Category): Check[] {
  const refs = report.categories[category]?.auditRefs ?? [];
  return refs.flatMap(({ id, weight }) => {
    const check = report.audits[id];
    return weight > 0 && check ? [{ ...check, weight }] : [];
  });
}

function scoresOf(report: Report): Record<Category, number> {
  const entries = CATEGORIES.map((category) => {
    const score = report.categories[category]?.score;
    // A check that failed to run leaves the category without a score.
    if (score === null || score === undefined) throw new Error(`Lighthouse has no score for ${category}.`);
    return [category, Math.round(score * 100)] as const;
  });
  return Object.fromEntries(entries) as Record<Category, number>;
}

function lostBy({ score, weight }: Check): number {
  return (1 - (score ?? 0)) * weight;
}

function inWords({ title, displayValue = '' }: Check): string {
  return `${title} ${displayValue}`.trim().replaceAll('\u00a0', ' ');
}

function longTasksIn({ audits }: Report): LongTask[] {
  const items = audits['long-tasks']?.details?.items ?? [];
  return items.map(({ url = '', startTime = 0, duration = 0 }) => ({
    file: url.split('/').at(-1) || url,
    startMs: Math.round(startTime),
    durationMs: Math.round(duration),
  }));
}
