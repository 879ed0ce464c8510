/** A browser with eight dashboard tabs that follow different apps and share one live connection. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ADMIN, deployedApp, paramsOf, project } from '@davit/testkit';
import { freePort } from '@davit/testkit/ports';
import { until } from '@davit/testkit/waiting';
import type { Page } from 'playwright-core';
import { unchecked } from '../../../packages/daemon/src/db/select.ts';
import { type DashboardBrowser, type DashboardVisit, openDashboard } from '../../support/dashboard-browser.ts';
import { inLong } from '../../support/tiers.ts';

/** More tabs than the connections that a browser opens to one origin. */
const TABS = 8;
const SLOW = { timeout: 60_000 };

interface Tab {
  page: Page;
  reference: string;
  params: ReturnType<typeof paramsOf>;
  /** Writes a log line of the app. */
  write: (line: string) => void;
}

describe('eight dashboard tabs of a browser', () => {
  let fixture: DashboardBrowser;
  let visited: DashboardVisit;
  let tabs: Tab[];
  let followed: Map<string, number>;

  before(async () => {
    // A fixed port, so that the browser finds the daemon after a restart.
    fixture = await openDashboard({ seed: false, settings: { listen: `127.0.0.1:${await freePort()}` } });
    followed = countFollows(fixture);
    const name = await project(fixture.daemon, 'shop');
    visited = await fixture.visit('/');
    // Requests fail while the instance is restarting.
    visited.expectRefusal(0);
    tabs = [];
    for (let n = 0; n < TABS; n += 1) {
      const { app } = await deployedApp(fixture.daemon, { project: name, name: `app${n}` });
      const page = n === 0 ? visited.page : await visited.context.newPage();
      await page.goto(`/projects/${app.reference}/logs`);
      const write = (line: string) =>
        fixture.daemon.engine.controls.writeLog(containerOf(fixture, app.reference), line);
      tabs.push({ page, reference: app.reference, params: paramsOf(app), write });
    }
  });
  after(async () => {
    await visited[Symbol.asyncDispose]();
    await fixture[Symbol.asyncDispose]();
  });

  it('share one event stream with the log lines of all their apps', async () => {
    await all(({ page }) => page.locator('[data-live=live]').waitFor(SLOW));
    await all(({ page }) => page.getByText('listening', { exact: true }).waitFor(SLOW));
    // Each tab that follows another app replaces the shared stream. The daemon closes the previous stream with a delay.
    await until('one stream is left', async () => (await openStreams(fixture)) === 1);
    assert.deepEqual([...followed].toSorted(), tabs.map(({ reference }) => [reference, 1] as const).toSorted());
  });

  it('show new log lines of their own app only', async () => {
    for (const { reference, write } of tabs) write(`written by ${reference}`);
    await all(({ page, reference }) => page.getByText(`written by ${reference}`, { exact: true }).waitFor(SLOW));
    for (const { page } of tabs) assert.equal(await page.getByText('written by').count(), 1);
  });

  it('show status changes of their own app', async () => {
    for (const { params } of tabs) await fixture.daemon.client.stopApp({ params });
    await all(({ page }) => page.getByRole('main').getByText('stopped', { exact: true }).first().waitFor(SLOW));
    for (const { params } of tabs) await fixture.daemon.client.startApp({ params, query: { wait: 'true' } });
    await all(({ page }) => page.getByRole('main').getByText('running', { exact: true }).first().waitFor(SLOW));
  });

  it('report a lost connection and show all missed changes after the reconnection', async () => {
    await fixture.daemon.stop();
    await all(({ page }) => page.locator('[data-live=away]').waitFor(SLOW));
    for (const { reference, write } of tabs) write(`meanwhile in ${reference}`);
    await fixture.daemon.start();
    followed = countFollows(fixture);
    for (const { params } of tabs) await fixture.daemon.client.stopApp({ params });

    await all(({ page }) => page.locator('[data-live=live]').waitFor(SLOW));
    await all(({ page, reference }) => page.getByText(`meanwhile in ${reference}`, { exact: true }).waitFor(SLOW));
    await all(({ page }) => page.getByRole('main').getByText('stopped', { exact: true }).first().waitFor(SLOW));
    for (const { page, reference } of tabs) {
      assert.equal(await page.getByText(`written by ${reference}`, { exact: true }).count(), 1, reference);
    }
    await until('one stream is left', async () => (await openStreams(fixture)) === 1);
  });

  it('stop following their logs when closed, and the last tab ends the stream', async () => {
    const [closed, ...others] = tabs;
    await closed?.page.close();
    const left = others.map(({ reference }) => reference);
    await until('its lines are not read any more', () => {
      const now = [...followed].filter(([, count]) => count > 0).map(([reference]) => reference);
      return JSON.stringify(now.toSorted()) === JSON.stringify(left.toSorted());
    });
    await until('one stream goes on', async () => (await openStreams(fixture)) === 1);
    for (const { page } of others) await page.close();
    await until('the stream has ended', async () => (await openStreams(fixture)) === 0);
  });

  async function all(what: (tab: Tab) => Promise<unknown>): Promise<void> {
    await Promise.all(tabs.map(what));
  }
});

describe('dashboard tabs of a browser', { skip: inLong.skip }, () => {
  let fixture: DashboardBrowser;
  before(async () => {
    fixture = await openDashboard({ seed: false });
  });
  after(() => fixture[Symbol.asyncDispose]());

  it('receive live events without shared workers, over a stream for each tab', async () => {
    const { app } = await deployedApp(fixture.daemon);
    await using visited = await fixture.visit('/sign-in');
    await visited.context.addInitScript('delete window.SharedWorker');
    for (const page of [visited.page, await visited.context.newPage()]) {
      await page.goto(`/projects/${app.reference}/logs`);
      await page.locator('[data-live=live]').waitFor(SLOW);
      await page.getByText('listening', { exact: true }).waitFor(SLOW);
    }
    assert.equal(await openStreams(fixture), 2);
    fixture.daemon.engine.controls.writeLog(containerOf(fixture, app.reference), 'to both of them');
    for (const page of visited.context.pages()) {
      await page.getByText('to both of them', { exact: true }).waitFor(SLOW);
    }
  });

  it('report an expired session in all tabs and resume after one sign-in', async () => {
    const { app } = await deployedApp(fixture.daemon);
    await using visited = await fixture.visit(`/projects/${app.reference}`, { ownSession: true });
    visited.expectRefusal(401);
    const { page } = visited;
    const other = await visited.context.newPage();
    await other.goto(`/projects/${app.reference}/deployments`);
    for (const tab of [page, other]) await tab.locator('[data-live=live]').waitFor(SLOW);

    fixture.daemon.core.store.tx((tx) => tx.run('DELETE FROM sessions'));
    for (const tab of [page, other]) await tab.getByRole('dialog', { name: 'Your session has expired' }).waitFor(SLOW);
    await page.getByLabel('Password').fill(ADMIN.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();

    for (const tab of [page, other]) {
      await tab.getByRole('dialog').waitFor({ state: 'detached', ...SLOW });
      await tab.locator('[data-live=live]').waitFor(SLOW);
    }
    await fixture.daemon.client.stopApp({ params: paramsOf(app) });
    for (const tab of [page, other]) {
      await tab.getByRole('main').getByText('stopped', { exact: true }).first().waitFor(SLOW);
    }
  });
});

function containerOf({ daemon }: DashboardBrowser, reference: string): string {
  const found = daemon.engine.controls.containers().findLast(({ app }) => app === reference);
  if (found === undefined) throw new Error(`${reference} has no container`);
  return found.id;
}

/** Returns the number of open event streams from the daemon's metrics. */
async function openStreams({ daemon }: DashboardBrowser): Promise<number> {
  const { text } = await daemon.call('GET', '/metrics');
  return Number(/^davit_event_streams_open (\d+)$/m.exec(text)?.[1]);
}

/** Counts the readers of each app's log lines. Must be called again after a restart of the daemon. */
function countFollows({ daemon }: DashboardBrowser): Map<string, number> {
  const counts = new Map<string, number>();
  const { logs, store } = daemon.core;
  const follow = logs.follow.bind(logs);
  logs.follow = async function* counted(appId, following, signal) {
    const { name } = store.get(unchecked<{ name: string }>('SELECT name FROM apps WHERE id = ?'), appId) ?? {
      name: '',
    };
    const reference = `shop/production/${name}`;
    counts.set(reference, (counts.get(reference) ?? 0) + 1);
    try {
      yield* follow(appId, following, signal);
    } finally {
      counts.set(reference, (counts.get(reference) ?? 0) - 1);
    }
  };
  return counts;
}
