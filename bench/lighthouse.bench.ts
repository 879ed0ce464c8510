/**
 * Audits the most used pages of the dashboard with Lighthouse, with its presets for a desktop computer and for a phone.
 * A real daemon on a simulated engine with example data serves the built dashboard. The score of a page is the median
 * of several runs, each with an empty cache. The reports are stored in `.cache/lighthouse`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cookieOf, SEEDED, signIn } from '@davit/testkit';
import { openDashboard } from '../test/support/dashboard-browser.ts';
import { launchBareChromium } from './support/bare-chromium.ts';
import { audit, type Category, type Device, type LighthouseRun } from './support/lighthouse.ts';
import { conclude, formOf, median, say } from './support/result.ts';

const REPORTS = join(import.meta.dirname, '..', '.cache', 'lighthouse');
const RUNS = { short: 1, usual: 5, long: 9 };
const MIN_PERFORMANCE: Record<Device, number> = { desktop: 95, mobile: 85 };
const MIN_ACCESSIBILITY = 100;
const MIN_BEST_PRACTICES = 96;
const DEVICES = ['desktop', 'mobile'] as const;
const PAGES = {
  home: '/',
  app: `/projects/${SEEDED.web}`,
  logs: `/projects/${SEEDED.web}/logs`,
  deployments: `/projects/${SEEDED.web}/deployments`,
} as const;
type PageName = keyof typeof PAGES;
const NAMES = Object.keys(PAGES) as PageName[];

interface Audited {
  page: PageName;
  device: Device;
  runs: LighthouseRun[];
}

const form = formOf();
await using fixture = await openDashboard();
await using chromium = await launchBareChromium();
const [name = '', value = ''] = cookieOf(await signIn(fixture.daemon)).split('=');
await chromium.setCookie({ name, value, url: fixture.daemon.url });

const audited = await auditAll();
for (const one of audited) await report(one);
for (const device of DEVICES) await concludeDevice(device);
await concludeLowest('accessibility', 'Accessibility', MIN_ACCESSIBILITY);
await concludeLowest('best-practices', 'Best practices', MIN_BEST_PRACTICES);

/** Audits all pages in turn, so that a slow minute of the machine does not affect all runs of one page. */
async function auditAll(): Promise<Audited[]> {
  const all = DEVICES.flatMap((device) => NAMES.map((page): Audited => ({ page, device, runs: [] })));
  for (let i = 0; i < RUNS[form]; i += 1) {
    for (const { page, device, runs } of all) {
      runs.push(await audit(`${fixture.daemon.url}${PAGES[page]}`, device, chromium.port));
    }
  }
  return all;
}

/** Returns the run with the median performance score. */
function middle({ runs }: Audited): LighthouseRun {
  const sorted = runs.toSorted((a, b) => a.scores.performance - b.scores.performance);
  const run = sorted[Math.floor((sorted.length - 1) / 2)];
  if (run === undefined) throw new Error('A page was not audited.');
  return run;
}

/** Prints what is needed to improve the score of a page, and stores the report of the middle run. */
async function report(one: Audited): Promise<void> {
  const { page, device, runs } = one;
  const { metrics, longTasks, failed, html } = middle(one);
  say(`${page}, ${device}: ${runs.map(({ scores }) => scores.performance).join(', ')}`);
  say(`  ${metrics.join(', ')}`);
  for (const { file, startMs, durationMs } of longTasks.slice(0, 5)) {
    say(`  task of ${durationMs} ms after ${startMs} ms: ${file}`);
  }
  for (const title of failed) say(`  failed: ${title}`);
  await mkdir(REPORTS, { recursive: true });
  await writeFile(join(REPORTS, `${page}-${device}.html`), html);
}

/** Returns the median score of each page. */
function mediansOf(category: Category, devices: readonly Device[]): Record<string, number> {
  const some = audited.filter(({ device }) => devices.includes(device));
  return Object.fromEntries(
    some.map(({ page, device, runs }) => [
      devices.length > 1 ? `${page}_${device}` : page,
      median(runs.map(({ scores }) => scores[category])),
    ]),
  );
}

async function concludeDevice(device: Device): Promise<void> {
  const medians = mediansOf('performance', [device]);
  const lowest = Math.min(...Object.values(medians));
  const ofDevice = audited.filter((one) => one.device === device);
  await conclude(
    {
      name: `lighthouse-${device}`,
      promise: `Lowest performance score of Lighthouse for four pages, preset ${device}, median`,
      limit: `≥ ${MIN_PERFORMANCE[device]}`,
      value: lowest,
      unit: 'points',
      ok: lowest >= MIN_PERFORMANCE[device],
      details: {
        medians,
        ...Object.fromEntries(
          ofDevice.map((one) => [`${one.page}_runs`, one.runs.map(({ scores }) => scores.performance)]),
        ),
        ...Object.fromEntries(ofDevice.map((one) => [`${one.page}_worst_metric`, middle(one).worstMetric])),
      },
    },
    form,
  );
}

async function concludeLowest(category: Category, title: string, min: number): Promise<void> {
  const medians = mediansOf(category, DEVICES);
  const lowest = Math.min(...Object.values(medians));
  const failed = audited.flatMap((one) => middle(one).failed);
  await conclude(
    {
      name: `lighthouse-${category}`,
      promise: `${title} score of Lighthouse, lowest of four pages and two presets, median`,
      limit: min === 100 ? '100' : `≥ ${min}`,
      value: lowest,
      unit: 'points',
      ok: lowest >= min,
      details: { medians, failed_checks: failed.length === 0 ? 'none' : [...new Set(failed)] },
    },
    form,
  );
}
