/**
 * How long a deploy step is under way from its commit in the daemon to the frame of the browser that shows it: real
 * deployments on a simulated engine, held between their steps, watched on the deployment’s page as it is built.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { DeploymentEvent } from '@davit/api';
import { app, paramsOf } from '@davit/testkit';
import type { Page } from 'playwright-core';
import { stepWords } from '../packages/dashboard/src/components/deployments/timeline.ts';
import { openDashboard } from '../test/support/dashboard-browser.ts';
import { conclude, formOf, quantile, rounded, say } from './support/result.ts';

const LIMIT_P95_MS = 150;
/** Each tells of some sixteen steps that began or ended. */
const DEPLOYMENTS = { short: 2, usual: 16, long: 60 };
const LEAST_EVENTS = { short: 20, usual: 200, long: 800 };
/** What each step waits for, in order: so that one after the other is seen. */
const HELD = ['pullImage', 'holdImage', 'ensureNetwork', 'createGroup', 'start', 'probe'] as const;
const PAUSE_MS = { least: 60, most: 140 };

/** When a row of the timeline was in a state for the first time, of the clock that the daemon has too. */
interface Seen {
  says: string;
  state: string;
  at: number;
}

/** Runs in the page: notes in each animation frame after a change what the rows of the timeline say. */
const NOTE_ROWS = `
  window.seenRows = [];
  const known = new Set();
  let isAsked = false;
  const look = () => {
    isAsked = false;
    const at = performance.timeOrigin + performance.now();
    for (const row of document.querySelectorAll('li[data-state]')) {
      const { state } = row.dataset;
      const says = row.querySelector('.sr-only')?.parentElement.firstChild.textContent ?? '';
      if (known.has(says + ' ' + state)) continue;
      known.add(says + ' ' + state);
      window.seenRows.push({ says, state, at });
    }
  };
  new MutationObserver(() => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(look);
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });`;

const form = formOf();
await using dashboard = await openDashboard({ seed: false });
const { daemon } = dashboard;
const params = paramsOf(await app(daemon));
await using visited = await dashboard.visit('/');
const page = visited.page;
await page.addInitScript(NOTE_ROWS);

const underWay: number[] = [];
let lost = 0;
for (let n = 1; n <= DEPLOYMENTS[form]; n += 1) {
  const found = await deployWatched(page, n);
  underWay.push(...found.underWay);
  lost += found.lost;
}
const p95 = quantile(underWay, 0.95);
await conclude(
  {
    name: 'dashboard-event-pixel',
    promise: 'Time from the commit of a deployment step until the browser shows the step, p95',
    limit: `≤ ${LIMIT_P95_MS} ms`,
    value: rounded(p95),
    unit: 'ms',
    ok: p95 <= LIMIT_P95_MS && lost === 0 && underWay.length >= LEAST_EVENTS[form],
    details: {
      events: underWay.length,
      lost,
      deployments: DEPLOYMENTS[form],
      median_ms: rounded(quantile(underWay, 0.5)),
      p99_ms: rounded(quantile(underWay, 0.99)),
      highest_ms: rounded(quantile(underWay, 1)),
      ends: 'the commit in the daemon, and the first animation frame in which the page has it',
    },
  },
  form,
);

/** Deploys once, step by step, and compares when each was committed with when it was seen. */
async function deployWatched(on: Page, n: number): Promise<{ underWay: number[]; lost: number }> {
  const committed: { event: DeploymentEvent['step']; at: number }[] = [];
  const gates = HELD.map((primitive) => daemon.engine.controls.pause(primitive));
  const begun = await daemon.client.deployApp({ params, body: { tag: `v${n}` } });
  if (!('id' in begun)) throw new Error('a plan was answered');
  await gates[0]?.reached;
  const { project, environment, app: name } = params;
  await on.goto(`/projects/${project}/${environment}/${name}/deployments/${begun.id}`);
  await on.locator('[data-live=live]').waitFor();
  // What was read again at the beginning is there.
  await on.locator('li[data-state=running]').waitFor();
  await delay(1_000);

  const stop = daemon.core.store.onEvent(({ kind, deploymentId, data }) => {
    if (kind !== 'deployment' || deploymentId !== begun.id || data.step === undefined) return;
    committed.push({ event: data.step as DeploymentEvent['step'], at: performance.timeOrigin + performance.now() });
  });
  for (const gate of gates) {
    await gate.reached;
    await delay(PAUSE_MS.least + Math.random() * (PAUSE_MS.most - PAUSE_MS.least));
    gate.open();
  }
  await on.getByText('succeeded', { exact: true }).first().waitFor();
  stop();
  const seen = (await on.evaluate('window.seenRows')) as Seen[];
  const times = committed.map(({ event, at }) => {
    const states = event?.state === 'started' ? ['running', 'done'] : ['done'];
    const shown = seen.find(({ says, state }) => says === stepWords(event?.name ?? '') && states.includes(state));
    return shown === undefined ? null : shown.at - at;
  });
  const found = times.filter((time) => time !== null);
  say(`deployment ${n}: ${committed.length} events, median ${rounded(quantile(found, 0.5))} ms`);
  return { underWay: found, lost: times.length - found.length };
}
