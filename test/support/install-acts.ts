/** Operations on a template during which the daemon is killed. */
import type { Task } from '@davit/api';
import type { LiveHarness } from './live-harness.ts';
import { inStoreCopy } from './store-copy.ts';

export interface Act {
  kind: `install.${string}`;
  /** Expected result. */
  end: 'succeeded' | 'failed';
  /** Approximate duration in milliseconds. A kill happens at a random time within it. */
  ms: number;
}

/**
 * Operations on a template in one round, in this order. Failed operations are rolled back, and kills also happen during
 * the rollback.
 */
export const ACTS = {
  install: { kind: 'install.install', end: 'succeeded', ms: 3_500 },
  update: { kind: 'install.update', end: 'succeeded', ms: 1_400 },
  failingUpdate: { kind: 'install.update', end: 'failed', ms: 2_500 },
  uninstall: { kind: 'install.uninstall', end: 'succeeded', ms: 700 },
  adopt: { kind: 'install.install', end: 'succeeded', ms: 1_400 },
  remove: { kind: 'install.uninstall', end: 'succeeded', ms: 800 },
} satisfies Record<string, Act>;
export type ActName = keyof typeof ACTS | 'failingInstall';
const FAILING_INSTALL: Act = { kind: 'install.install', end: 'failed', ms: 5_000 };
export const actOf = (name: ActName): Act => (name === 'failingInstall' ? FAILING_INSTALL : ACTS[name]);

/**
 * Returns a template with two apps that use one database. The first app has a volume. Tags are those of the
 * environment's images.
 */
export function templateOf(image: string, tag: string, worker: string): string {
  return `version: 1
name: Kept
minCubeship: "0.7.0"
project: kept
databases:
  - {key: db, name: book, engine: postgres, version: "15", limits: {memory: ${tag === 'v1' ? '256Mi' : '320Mi'}}}
apps:
  - {key: web, name: web, image: ${image}, tag: ${tag}, port: 8080, attach: [{database: db}], volumes: [{path: /data}]}
  - {key: worker, name: worker, image: ${image}, tag: ${worker}, port: 8080, attach: [{database: db}]}
`;
}

/** Returns the state on disk when the daemon was killed: the open tasks and their steps. */
export function momentOf(dataDir: string): Promise<string> {
  return inStoreCopy(dataDir, (db) => {
    const rows = db.prepare(
      `SELECT t.kind, t.status, t.error,
              (SELECT s.name FROM task_steps s WHERE s.task_id = t.id ORDER BY s.id DESC LIMIT 1) AS step
         FROM tasks t WHERE t.status IN ('pending', 'running') ORDER BY t.id`,
    );
    const open = rows
      .all()
      .map(({ kind, error, step }) => `${kind} ${error === null ? '' : 'undoing '}${step ?? 'asked'}`);
    return open.length === 0 ? 'at rest' : open.join(' + ');
  });
}

interface ActInput {
  project: string;
  /** Returns the number of the installation for the operation. */
  install: () => Promise<string>;
  query: { wait?: 'true' };
}

/**
 * Requests the operation.
 * @returns its task
 */
export async function requestAct(
  { client, image }: LiveHarness,
  act: ActName,
  { project, install, query }: ActInput,
): Promise<Task> {
  const file = (tag: string, worker: string = tag) => templateOf(image, tag, worker);
  const params = async () => ({ install: await install() });
  const installing = (text: string, adopt?: object) =>
    client.installTemplateFile({ query, body: { source: { file: text }, project, ...adopt } });
  const update = async (text: string) =>
    client.updateTemplateInstall({ params: await params(), query, body: { file: text } });
  const adopt = { adopt: { databases: { db: `${project}/production/book` }, volumes: true } };
  const remove = { keep_data: false, confirm: `${project}/production` };
  const acts: Record<ActName, () => Promise<unknown>> = {
    install: () => installing(file('v1')),
    failingInstall: () => installing(file('v1', 'crash')),
    update: () => update(file('v2')),
    failingUpdate: () => update(file('v1', 'crash')),
    uninstall: async () => client.uninstallTemplate({ params: await params(), query, body: {} }),
    adopt: () => installing(file('v1'), adopt),
    remove: async () => client.uninstallTemplate({ params: await params(), query, body: remove }),
  };
  return acts[act]() as Promise<Task>;
}
