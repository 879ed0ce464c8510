/** Fills the database of a stopped instance with copies of its sample app, each with its own history. */
import { join } from 'node:path';
import { openSealer } from '../../packages/daemon/src/config/master-key.ts';
import { openDatabase } from '../../packages/daemon/src/db/database.ts';
import { Store } from '../../packages/daemon/src/db/store.ts';
import type { AppParams } from '../../test/support/instance.ts';

export interface StoreSize {
  projects: number;
  /**
   * Number of apps in each project, at most 200. Each app has a replica with an address on the network of its
   * environment.
   */
  appsPerProject: number;
  deploymentsPerApp: number;
}

/** Number of the newest deployments of each app whose steps are recorded too. */
const WITH_STEPS = 10;

/** Returns the apps of a database of this size, without the sample app. */
export function filledApps({ projects, appsPerProject }: StoreSize): AppParams[] {
  return Array.from({ length: projects * appsPerProject }, (_, i) => ({
    project: `p${Math.floor(i / appsPerProject) + 1}`,
    environment: 'production',
    app: `a${(i % appsPerProject) + 1}`,
  }));
}

/**
 * Copies the first app of the database in one transaction, with its revision, domains, route, deployment, steps and
 * first replica. The daemon must be stopped.
 */
export function fillStore(dataDir: string, size: StoreSize): void {
  const file = join(dataDir, 'davit.db');
  using store = new Store(file);
  const sealer = openSealer(join(dataDir, 'master.key'), store);
  const db = openDatabase(file);
  db.function('sealed', (location) => sealer.seal('[]', String(location)));
  try {
    // One transaction syncs the disk once. A daemon would have synced it a million times.
    db.exec(`BEGIN IMMEDIATE; ${statements(size)}; COMMIT; PRAGMA wal_checkpoint(TRUNCATE)`);
  } finally {
    db.close();
  }
}

function statements({ projects, appsPerProject, deploymentsPerApp }: StoreSize): string {
  const series = (name: string, count: number) =>
    `${name}(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM ${name} WHERE n < ${count})`;
  const copied = 'a.id <> (SELECT min(id) FROM apps)';
  return `
    CREATE TEMP TABLE sample AS SELECT min(id) AS app, max(live_deployment) AS deployment FROM apps;
    WITH RECURSIVE ${series('s', projects)}
      INSERT INTO projects (slug, created_at) SELECT 'p' || n, p.created_at FROM s, projects p WHERE p.id = 1;
    INSERT INTO environments (project_id, slug, created_at)
      SELECT id, 'production', created_at FROM projects WHERE id <> 1;
    WITH RECURSIVE ${series('s', appsPerProject)}
      INSERT INTO apps (environment_id, name, spec, revision, created_at, updated_at)
      SELECT e.id, 'a' || n, a.spec, 1, a.created_at, a.updated_at
        FROM environments e, s, apps a, sample WHERE e.project_id <> 1 AND a.id = sample.app;
    INSERT INTO revisions (app_id, number, spec, variables, changed_by, reason, created_at)
      SELECT a.id, 1, a.spec, sealed('revisions/' || a.id || '/1'), 'admin', 'created', a.created_at
        FROM apps a WHERE ${copied};
    INSERT INTO routes (slot, app_id, port, protocol)
      SELECT (SELECT max(slot) FROM routes) + a.id, a.id, NULL, 'http' FROM apps a WHERE ${copied};
    INSERT INTO domains (app_id, host, port, protocol, created_at)
      SELECT a.id, a.id || '.' || d.host, d.port, d.protocol, d.created_at
        FROM apps a, domains d, sample WHERE ${copied} AND d.app_id = sample.app;
    WITH RECURSIVE ${series('s', deploymentsPerApp)}
      INSERT INTO deployments (app_id, tag, image, image_id, digest, port, status, revision, trigger_kind, trigger_by,
          trigger_via, created_at, started_at, finished_at)
      SELECT a.id, 'v' || n, d.image, d.image_id, d.digest, d.port, d.status, 1, d.trigger_kind, d.trigger_by,
          d.trigger_via, d.created_at + n, d.started_at + n, d.finished_at + n
        FROM s, apps a, deployments d, sample WHERE ${copied} AND d.id = sample.deployment ORDER BY n, a.id;
    UPDATE apps SET live_deployment = (SELECT max(id) FROM deployments WHERE app_id = apps.id);
    -- The apps have no containers, so the daemon would deploy them if they were not stopped.
    UPDATE apps AS a SET stopped = 1 WHERE a.id <> (SELECT min(id) FROM apps);
    INSERT INTO deployment_steps (deployment_id, seq, name, started_at, finished_at)
      SELECT d.id, t.seq, t.name, t.started_at, t.finished_at
        FROM deployments d, deployment_steps t, sample
        WHERE d.id > (SELECT max(id) FROM deployments) - ${WITH_STEPS * projects * appsPerProject}
          AND d.id <> sample.deployment AND t.deployment_id = sample.deployment;
    INSERT INTO instances (app_id, deployment_id, environment_id, ordinal, name, address, container_id, role, kept, observed,
          limits)
      SELECT a.id, a.live_deployment, a.environment_id, 1, 'davit-filled00-' || a.live_deployment || '-1',
          '10.208.0.' || (10 + a.id % ${appsPerProject}), 'filled' || a.id, 'active', 1, 'down',
          i.limits
        FROM apps a, instances i, sample WHERE ${copied} AND i.deployment_id = sample.deployment;
    DROP TABLE sample`;
}
