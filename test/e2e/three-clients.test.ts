/**
 * The guarantee that the dashboard, the command line and the MCP tools use the same API and no other. The tests compare
 * the requests in the daemon's log.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SEEDED } from '@davit/testkit';
import { appPath } from '../../packages/dashboard/src/paths.ts';
import { isDocumented, isRoute } from '../support/contract-routes.ts';
import { type DashboardBrowser, openDashboard } from '../support/dashboard-browser.ts';
import { DavitFolder } from '../support/davit-command.ts';
import { startAgent } from '../support/mcp-agent.ts';
import { inLong } from '../support/tiers.ts';

/** Timeout for slow machines. */
const SLOW = { timeout: 60_000 };
const params = appPath(SEEDED.web);

describe('the clients of the API', () => {
  let fixture: DashboardBrowser;
  before(async () => {
    fixture = await openDashboard({ meant: ['POST /mcp'] });
  });
  after(() => fixture[Symbol.asyncDispose]());

  /** Returns the requests of one client from the daemon's log while a function runs, in order. */
  async function requestsVia(via: string, what: () => Promise<void>): Promise<string[]> {
    const from = fixture.daemon.log.lines.length;
    await what();
    return fixture.daemon.log.lines
      .slice(from)
      .map((line) => JSON.parse(line) as { msg?: string; method?: string; path?: string; via?: string })
      .filter((line) => line.msg === 'request' && line.via === via)
      .map(({ method, path }) => `${method} ${path}`);
  }
  const live = async () => (await fixture.daemon.client.getApp({ params })).live_tag;
  const deploys = async () => (await fixture.daemon.client.listAudit({ query: { operation: 'deployApp' } })).events;

  async function byDashboard(tag: string): Promise<void> {
    await using visited = await fixture.visit(`/projects/${SEEDED.web}?deploy=1&tag=${tag}`);
    await visited.page.getByRole('button', { name: `Deploy ${tag}` }).click(SLOW);
    await visited.page.getByRole('heading', { name: /^Deployment #/ }).waitFor(SLOW);
    await visited.page.getByText('succeeded', { exact: true }).first().waitFor(SLOW);
  }

  async function byCommandLine(tag: string): Promise<void> {
    await using folder = await DavitFolder.make(fixture.daemon);
    const { code, stderr } = await folder.run(['deploy', SEEDED.web, '--tag', tag]);
    assert.equal(code, 0, stderr);
  }

  async function byAgent(tag: string): Promise<void> {
    await using agent = await startAgent(fixture.daemon.url, fixture.daemon.key);
    const { isError, text } = await agent.call('deploy_app', { app: SEEDED.web, tag });
    assert.ok(!isError, text);
  }

  it('the dashboard sends only requests to known API routes', inLong, async () => {
    const requests = await requestsVia('dashboard', async () => {
      await byDashboard('v21');
      await using visited = await fixture.visit(`/projects/${SEEDED.web}/logs`);
      await visited.page.getByText('listening').first().waitFor(SLOW);
      for (const path of ['/', '/registry', '/certificates', '/users', '/audit', '/settings', '/account']) {
        await visited.page.goto(path);
        await visited.page.getByRole('heading', { level: 1 }).waitFor(SLOW);
      }
    });
    const calls = requests.filter((one) => one.includes(' /api/'));
    assert.ok(calls.includes(`POST /api/apps/${SEEDED.web}/deploy`), 'a deploy is a call');
    for (const read of ['GET /api/apps', 'GET /api/events', 'GET /api/audit', 'GET /api/settings']) {
      assert.ok(calls.includes(read), read);
    }
    assert.deepEqual(
      requests.filter((one) => !isRoute(one)),
      [],
    );
    assert.equal(await live(), 'v21');
  });

  it('the command line, the dashboard and MCP tools deploy through the same API', async () => {
    const before = new Set((await deploys()).map(({ id }) => id));
    const clients = { dashboard: byDashboard, cli: byCommandLine, mcp: byAgent };
    for (const [n, [via, deploy]] of Object.entries(clients).entries()) {
      const requests = await requestsVia(via, () => deploy(`v${31 + n}`));
      assert.ok(requests.includes(`POST /api/apps/${SEEDED.web}/deploy`), `${via}: ${requests}`);
      const strays = requests.filter((one) => !isRoute(one));
      assert.deepEqual(strays, [], via);
      // MCP messages are the only requests of a tool that are not API requests.
      const others = requests.filter((one) => !isDocumented(one));
      if (via === 'mcp') assert.deepEqual([...new Set(others)], ['POST /mcp']);
      assert.equal(await live(), `v${31 + n}`);
    }
    const rows = (await deploys()).filter(({ id, status }) => !before.has(id) && status === 202).reverse();
    assert.deepEqual(
      rows.map(({ operation, target, via }) => [operation, target, via]),
      ['dashboard', 'cli', 'mcp'].map((via) => ['deployApp', SEEDED.web, via]),
    );
  });
});
