/**
 * Measures how the dashboard loads in Chromium over loopback. One value is the amount of JavaScript that an app's page
 * loads with an empty cache. The other is the Largest Contentful Paint of the overview of an instance with 200 apps,
 * with a processor that is four times slower.
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cookieOf, signIn, type TestDaemon } from '@davit/testkit';
import { openDashboard } from '../test/support/dashboard-browser.ts';
import { WIDE } from '../test/support/pages.ts';
import { type BarePage, launchBareChromium } from './support/bare-chromium.ts';
import { conclude, formOf, median, quantile, rounded } from './support/result.ts';

const LIMIT_KB = 200;
const LIMIT_MS = 1_500;
const SLOWDOWN = 4;
const APPS = 200;
/** Number of visits for the Largest Contentful Paint. */
const TIMES = { short: 3, usual: 15, long: 60 };
const CONCURRENCY = 8;
const APP_PAGE = '/projects/shop/production/web';

/** Resolves when the page shows its heading and is connected to the event stream. */
const LIVE = `new Promise((resolve) => {
  const isLive = () => document.querySelector('h1') !== null && document.querySelector('[data-live=live]') !== null;
  if (isLive()) return resolve();
  const observer = new MutationObserver(() => {
    if (!isLive()) return;
    observer.disconnect();
    resolve();
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true });
})`;

/**
 * Resolves when no resource has finished loading for one second. The event stream stays open, so the script cannot wait
 * until all requests have ended.
 */
const QUIET = `new Promise((resolve) => {
  const end = () => { observer.disconnect(); resolve(); };
  let timer = setTimeout(end, 1000);
  const observer = new PerformanceObserver(() => { clearTimeout(timer); timer = setTimeout(end, 1000); });
  observer.observe({ type: 'resource' });
})`;

const form = formOf();
await using fixture = await openDashboard();
await using chromium = await launchBareChromium();
await fill(fixture.daemon);
const answer = await signIn(fixture.daemon);
const [name = '', value = ''] = cookieOf(answer).split('=');

await concludeSize();
await concludePaint();

/** Creates apps in ten projects until the instance has 200 apps, and deploys each new app once. */
async function fill({ client }: TestDaemon): Promise<void> {
  const numbers = Array.from({ length: APPS - (await client.listApps()).length }, (_, i) => i);
  for (let i = 0; i < 10; i += 1) await client.createProject({ body: { slug: `project-${i}` } });
  const one = async (i: number) => {
    const params = { project: `project-${i % 10}`, environment: 'production', app: `app-${i}` };
    const { project, environment, app } = params;
    const body = { project, environment, name: app, source: 'image' as const, image: `example/${app}`, port: 8080 };
    await client.createApp({ body });
    await client.deployApp({ params, query: { wait: 'true' }, body: { tag: 'v1' } });
  };
  const work = async () => {
    for (let i = numbers.shift(); i !== undefined; i = numbers.shift()) await one(i);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

/**
 * Opens a page with an empty cache, waits until it has loaded, and runs `measure` on it.
 * @param rate factor by which the processor is slowed down
 */
async function measurePage<T>(path: string, rate: number, measure: (page: BarePage) => Promise<T>): Promise<T> {
  await using page = await chromium.open(WIDE);
  const { url } = fixture.daemon;
  await page.send('Network.setCookie', { name, value, url, httpOnly: true });
  await page.send('Emulation.setCPUThrottlingRate', { rate });
  await page.goto(`${url}${path}`);
  await page.evaluate(LIVE);
  await page.evaluate(QUIET);
  return await measure(page);
}

/**
 * Returns the paths of all requested scripts, including those of workers, from the request log of the daemon.
 * @param lines lines of the log
 */
function requestedScripts(lines: readonly string[]): string[] {
  const entries = lines.map((line) => JSON.parse(line) as { msg?: string; path?: string });
  const names = entries.flatMap(({ msg, path }) => (msg === 'request' && path?.endsWith('.js') ? [path] : []));
  return [...new Set(names)];
}

/**
 * Returns the size in bytes of a file of the dashboard.
 * @param ending ending of the compressed file, such as `.br`. If there is no such file, the size is that of the plain
 * file.
 */
async function sizeOf(path: string, ending: string): Promise<number> {
  const file = join(fixture.folder, path);
  const compressed = await stat(`${file}${ending}`).catch(() => null);
  return compressed?.size ?? (await readFile(file)).length;
}

async function concludeSize(): Promise<void> {
  const before = fixture.daemon.log.lines.length;
  await measurePage(APP_PAGE, 1, async () => undefined);
  const scripts = requestedScripts(fixture.daemon.log.lines.slice(before));
  const sum = async (ending: string) => {
    const sizes = await Promise.all(scripts.map((path) => sizeOf(path, ending)));
    return rounded(sizes.reduce((a, b) => a + b, 0) / 1_000);
  };
  const [brotli, gzip, plain] = [await sum('.br'), await sum('.gz'), await sum('')];
  const largest = await Promise.all(scripts.map(async (path) => [await sizeOf(path, '.br'), path] as const));
  await conclude(
    {
      name: 'dashboard-size',
      promise: 'Compressed JavaScript of an app’s page with an empty cache',
      limit: `≤ ${LIMIT_KB} KB`,
      value: brotli,
      unit: 'KB',
      ok: brotli <= LIMIT_KB,
      details: {
        with_gzip_KB: gzip,
        not_compressed_KB: plain,
        files: scripts.length,
        largest: largest
          .toSorted(([a], [b]) => b - a)
          .slice(0, 5)
          .map(
            ([bytes, path]) =>
              `${path.replace('/assets/', '').replace(/-[\w-]{8}\.js$/, '')} ${rounded(bytes / 1_000)} KB`,
          ),
      },
    },
    form,
  );
}

/** Returns the Largest Contentful Paint in milliseconds after the navigation. */
function largestPaint(page: BarePage): Promise<number> {
  return page.evaluate<number>(
    `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
      .observe({ type: 'largest-contentful-paint', buffered: true }))`,
  );
}

async function concludePaint(): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < TIMES[form]; i += 1) times.push(await measurePage('/', SLOWDOWN, largestPaint));
  const p75 = rounded(quantile(times, 0.75));
  await conclude(
    {
      name: 'dashboard-paint',
      promise: `Largest Contentful Paint of the overview with ${APPS} apps, with a processor ${SLOWDOWN} × slower, p75`,
      limit: `≤ ${LIMIT_MS.toLocaleString('en')} ms`,
      value: p75,
      unit: 'ms',
      ok: p75 <= LIMIT_MS,
      details: { median_ms: rounded(median(times)), longest_ms: rounded(Math.max(...times)), visits: times.length },
    },
    form,
  );
}
