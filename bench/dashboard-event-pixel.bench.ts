/**
 * Measures the time from the commit of a deployment step in the daemon until the browser shows the step. The
 * deployments run on a simulated engine, which is paused between the steps. The browser shows the page of the
 * deployment, from the built dashboard.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type DeploymentEvent, deploymentStepWords } from '@davit/api';
import { app, paramsOf } from '@davit/testkit';
import type { Page } from 'playwright-core';
import { openDashboard } from '../test/support/dashboard-browser.ts';
import { conclude, formOf, quantile, rounded, say } from './support/result.ts';

const LIMIT_P95_MS = 150;
/** Number of deployments. Each publishes about 16 events about steps that started or finished. */
const DEPLOYMENTS = { short: 2, usual: 16, long: 60 };
const MIN_EVENTS = { short: 20, usual: 200, long: 800 };
/** Functions of the engine that are paused, one for each step, so that the page shows the steps one after another. */
const PAUSED = ['pullImage', 'holdImage', 'ensureNetwork', 'createGroup', 'start', 'probe'] as const;
/** Range of the random pause before the next step. */
const PAUSE_MS = { min: 60, max: 140 };

/**
 * First time at which a row of the timeline showed a state. `at` is in milliseconds since the epoch, as in the daemon.
 */
interface Seen {
  text: string;
  state: string;
  at: number;
}

/**
 * Script that runs in the page. In the first animation frame after each change, it records the text and state of new
 * timeline rows.
 */
const RECORD_ROWS = `
  window.seenRows = [];
  const known = new Set();
  let isScheduled = false;
  const recordRows = () => {
    isScheduled = false;
    const at = performance.timeOrigin + performance.now();
    for (const row of document.querySelectorAll('li[data-state]')) {
      const { state } = row.dataset;
      const text = row.querySelector('.sr-only')?.parentElement.firstChild.textContent ?? '';
      if (known.has(text + ' ' + state)) continue;
      known.add(text + ' ' + state);
      window.seenRows.push({ text, state, at });
    }
  };
  new MutationObserver(() => {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(recordRows);
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });`;

const form = formOf();
await using dashboard = await openDashboard({ seed: false });
const { daemon } = dashboard;
const params = paramsOf(await app(daemon));
await using visited = await dashboard.visit('/');
const page = visited.page;
await page.addInitScript(RECORD_ROWS);

const delays: number[] = [];
let lost = 0;
for (let n = 1; n <= DEPLOYMENTS[form]; n += 1) {
  const found = await deployWatched(page, n);
  delays.push(...found.delays);
  lost += found.lost;
}
const p95 = quantile(delays, 0.95);
await conclude(
  {
    name: 'dashboard-event-pixel',
    promise: 'Time from the commit of a deployment step until the browser shows the step, p95',
    limit: `≤ ${LIMIT_P95_MS} ms`,
    value: rounded(p95),
    unit: 'ms',
    ok: p95 <= LIMIT_P95_MS && lost === 0 && delays.length >= MIN_EVENTS[form],
    details: {
      events: delays.length,
      lost,
      deployments: DEPLOYMENTS[form],
      median_ms: rounded(quantile(delays, 0.5)),
      p99_ms: rounded(quantile(delays, 0.99)),
      longest_ms: rounded(quantile(delays, 1)),
      measured: 'from the commit in the daemon to the first animation frame that shows the step',
    },
  },
  form,
);

/**
 * Deploys once, and compares the time at which each step was committed with the time at which the page showed it.
 * @returns the delays in milliseconds, and the number of steps that the page did not show
 */
async function deployWatched(on: Page, n: number): Promise<{ delays: number[]; lost: number }> {
  const committed: { event: DeploymentEvent['step']; at: number }[] = [];
  const gates = PAUSED.map((primitive) => daemon.engine.controls.pause(primitive));
  const begun = await daemon.client.deployApp({ params, body: { tag: `v${n}` } });
  if (!('id' in begun)) throw new Error('the API returned a plan instead of a deployment');
  await gates[0]?.reached;
  const { project, environment, app: name } = params;
  await on.goto(`/projects/${project}/${environment}/${name}/deployments/${begun.id}`);
  await on.locator('[data-live=live]').waitFor();
  // The page has loaded the deployment when it shows the first step as running.
  await on.locator('li[data-state=running]').waitFor();
  await delay(1_000);

  const stop = daemon.core.store.onEvent(({ kind, deploymentId, data }) => {
    if (kind !== 'deployment' || deploymentId !== begun.id || data.step === undefined) return;
    committed.push({ event: data.step as DeploymentEvent['step'], at: performance.timeOrigin + performance.now() });
  });
  for (const gate of gates) {
    await gate.reached;
    await delay(PAUSE_MS.min + Math.random() * (PAUSE_MS.max - PAUSE_MS.min));
    gate.open();
  }
  await on.getByText('succeeded', { exact: true }).first().waitFor();
  stop();
  // The page records the last change in its next animation frame.
  await on.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  const seen = (await on.evaluate('window.seenRows')) as Seen[];
  const times = committed.map(({ event, at }) => {
    const states = event?.state === 'started' ? ['running', 'done'] : ['done'];
    const shown = seen.find(
      ({ text, state }) => text === deploymentStepWords(event?.name ?? '') && states.includes(state),
    );
    return shown === undefined ? null : shown.at - at;
  });
  const found = times.filter((time) => time !== null);
  say(`deployment ${n}: ${committed.length} events, median ${rounded(quantile(found, 0.5))} ms`);
  return { delays: found, lost: times.length - found.length };
}
