/** Reads change nothing: the database is compared before and after all GET requests by an authorized caller. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { ABSENT_ROUTES, allOperations } from '@davit/api';
import { bootDaemon, deployedApp, project } from '@davit/testkit';
import { unchecked } from '../../src/db/select.ts';
import { builtDashboard } from '../support/built-dashboard.ts';

describe('GET requests', async () => {
  const built = await builtDashboard();
  const daemon = await bootDaemon({ dashboard: built.dist });
  await project(daemon, 'shop');
  const { deployment } = await deployedApp(daemon, { project: 'shop', name: 'web' });
  await daemon.settled();
  after(async () => {
    await daemon[Symbol.asyncDispose]();
    await built[Symbol.asyncDispose]();
  });

  const PARAMS: Record<string, string | number> = {
    project: 'shop',
    environment: 'production',
    app: 'web',
    deployment: deployment.id,
    revision: 1,
    user: 'admin',
    file: 'page.js',
  };
  const paths = [
    ...allOperations.filter(({ method }) => method === 'GET').map(({ path }) => `/api${path}`),
    ...ABSENT_ROUTES.filter((route) => route.startsWith('GET ')).map((route) => route.slice('GET '.length)),
  ].map((path) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(PARAMS[name] ?? 1)));

  /** Columns that requests change: the time of the last use of a key and of its user, accurate to the minute. */
  const WITHOUT: Record<string, string> = { api_keys: 'used_at', users: 'seen_at' };

  /** Tables to which the daemon writes once a minute without a request. */
  const MEASURED = new Set(['metrics', 'traffic', 'traffic_counts']);

  function dump(): Record<string, object[]> {
    const { store } = daemon.core;
    const tables = store.all(
      unchecked<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"),
    );
    return Object.fromEntries(
      tables
        .filter(({ name }) => !MEASURED.has(name))
        .map(({ name }) => {
          const rows = store.all(unchecked<Record<string, unknown>>(`SELECT * FROM "${name}"`));
          const noted = WITHOUT[name];
          return [name, rows.map((row) => (noted === undefined ? row : { ...row, [noted]: null }))];
        }),
    );
  }

  it(`change no records in the database (${paths.length} paths)`, async () => {
    // The first request for the CA of the instance creates the CA. No user requests this change.
    await daemon.call('GET', '/api/instance/ca.pem');
    const before = dump();
    assert.ok(Object.keys(before).length > 15);
    for (const path of paths) {
      // A stream does not end, so a HEAD request shows that it would start.
      const isLive = path.endsWith('/events');
      const { status } = await daemon.call(isLive ? 'HEAD' : 'GET', path);
      // No catalog is configured here, which causes this response.
      const isWell = status < 500 || (status === 502 && path.startsWith('/api/template'));
      assert.ok(isWell, `${path} answers ${status}`);
    }
    assert.deepEqual(dump(), before);
  });
});
