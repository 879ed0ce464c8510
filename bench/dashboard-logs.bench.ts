/**
 * An app writes 10,000 log lines per second for 30 s, and a tab of the built dashboard follows them. Measures the
 * longest frame of the tab, and checks that the heap of the page stays limited. The instance is a real one on a
 * simulated engine.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { openDashboard } from '../test/support/dashboard-browser.ts';
import { writingApp } from '../test/support/log-writer.ts';
import { conclude, formOf, quantile, rounded, say } from './support/result.ts';

const LINES_PER_S = 10_000;
/** Each write contains several lines, because programs usually buffer their output. */
const WRITES_PER_S = 20;
const SECONDS = { short: 10, usual: 30, long: 120 };
/** Time before the measurement starts, so that loading and compiling the page is not measured. */
const SETTLE_S = { short: 3, usual: 10, long: 10 };
const LIMIT_MS = 100;
const LIMIT_GROWTH_MIB = 40;
const SHOWN = { timeout: 60_000 };

/** Script that runs in the page. It records the times between two frames, and the durations of tasks over 50 ms. */
const RECORDER = `(() => {
  const frames = [];
  const tasks = [];
  let last = performance.now();
  const onFrame = (now) => {
    frames.push(now - last);
    last = now;
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
  globalThis.recorded = { frames, tasks };
})()`;

interface Recorded {
  frames: number[];
  tasks: number[];
}

const form = formOf();
await using fixture = await openDashboard({ seed: false });
const app = await writingApp(fixture.daemon);
await using visited = await fixture.visit(app.page('logs'));
const { page } = visited;
const inspector = await page.context().newCDPSession(page);
await page.getByText('listening').first().waitFor(SHOWN);

const stop = write();
await delay(SETTLE_S[form] * 1_000);
const early = await heapMib(inspector);
await page.evaluate(RECORDER);
await delay((SECONDS[form] - SETTLE_S[form]) * 1_000);
const recorded = (await page.evaluate('globalThis.recorded')) as Recorded;
const late = await heapMib(inspector);
const written = stop();
const lastLine = await isLineShown(page, written);

const longest = Math.max(...recorded.frames.slice(1));
const growth = late - early;
await conclude(
  {
    name: 'dashboard-logs',
    promise: `Longest frame of a tab that shows ${LINES_PER_S.toLocaleString('en')} log lines per second`,
    limit: `≤ ${LIMIT_MS} ms, limited memory`,
    value: rounded(longest),
    unit: 'ms',
    ok: longest <= LIMIT_MS && growth <= LIMIT_GROWTH_MIB && lastLine,
    details: {
      lines_written: written,
      the_last_line_is_shown: lastLine ? 'yes' : 'no',
      frames: recorded.frames.length,
      frame_median_ms: rounded(quantile(recorded.frames.slice(1), 0.5)),
      frame_p99_ms: rounded(quantile(recorded.frames.slice(1), 0.99)),
      tasks_above_50_ms: recorded.tasks.length,
      longest_task_ms: rounded(Math.max(0, ...recorded.tasks)),
      [`heap_at_${SETTLE_S[form]}_s_mib`]: rounded(early),
      [`heap_at_${SECONDS[form]}_s_mib`]: rounded(late),
      heap_growth_mib: rounded(growth),
    },
  },
  form,
);

/**
 * Starts to write lines at a constant rate.
 * @returns a function that stops writing and returns the number of written lines
 */
function write(): () => number {
  let count = 0;
  const began = performance.now();
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) / 1_000) * LINES_PER_S);
    const lines: string[] = [];
    while (count < due) lines.push(lineOf(++count));
    app.write(lines);
  }, 1_000 / WRITES_PER_S);
  return () => {
    clearInterval(timer);
    return count;
  };
}

/** Returns a line like those of real programs: JSON with a level, colored text, or plain text with a level. */
function lineOf(n: number): string {
  if (n % 10 === 0) return `{"level":"warn","msg":"slow request","n":${n},"ms":812,"path":"/orders/${n % 97}"}`;
  if (n % 7 === 0) return `\u001b[32mok\u001b[0m n=${n} \u001b[38;5;208mjob\u001b[0m ${'x'.repeat(60)}`;
  return `n=${n} INFO GET /orders/${n % 97} 200 12ms ${'x'.repeat(50)}`;
}

/** Returns whether the page shows the line with this number within one minute. */
async function isLineShown(where: Page, count: number): Promise<boolean> {
  const text = new RegExp(`n=${count}\\b`);
  return where
    .getByRole('log')
    .getByText(text)
    .first()
    .waitFor(SHOWN)
    .then(
      () => true,
      () => {
        say(`line ${count} was not shown`);
        return false;
      },
    );
}

/** Returns the used heap of the page after a garbage collection. */
async function heapMib(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1024 / 1024;
}
