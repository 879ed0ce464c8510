/** Comparison of an instance's objects at the engine with its database. */
import { until } from '@davit/testkit/waiting';
import type { Instance } from './instance.ts';
import { belongingsOf } from './instance-removal.ts';
import { inStore } from './store-copy.ts';

/** Kinds of containers that belong neither to apps nor to databases. */
const PLATFORM = ['proxy', 'names', 'registry', 'firewall'];

/**
 * Returns the objects at the engine without a record, and the records without an object at the engine. Returns an empty
 * array if there are no differences.
 */
export async function differencesAtRest(instance: Instance): Promise<string[]> {
  let found: string[] = [];
  const none = until('engine and store agree', async () => {
    found = await differences(instance);
    return found.length === 0 ? found : null;
  });
  return none.catch(() => found);
}

async function differences({ docker, id, dataDir }: Instance): Promise<string[]> {
  const { containers, networks, volumes, tags } = await belongingsOf(docker, id ?? '');
  const own = containers.filter(({ kind }) => !PLATFORM.includes(kind));
  const said = recordsOf(dataDir, id ?? '');
  const names = own.map(({ name }) => name);
  return [
    ...without(names, said.containers).map((name) => `container ${name} is in no record`),
    ...without(said.containers, names).map((name) => `container ${name} is not at the engine`),
    ...without(volumes, said.volumes).map((name) => `volume ${name} is in no record`),
    ...without(said.volumes, volumes).map((name) => `volume ${name} is not at the engine`),
    // A missing network is no difference, because it is created with the first container of its environment.
    ...without(networks, said.networks).map((name) => `network ${name} is in no record`),
    ...without(tags, said.tags).map((name) => `tag ${name} is in no record`),
  ];
}

function recordsOf(dataDir: string, id: string) {
  return inStore(dataDir, (db) => {
    const texts = (sql: string) =>
      db
        .prepare(sql)
        .all(id)
        .map(({ text }) => String(text));
    return {
      containers: texts(
        `SELECT name AS text FROM instances WHERE ?1 <> ''
          UNION ALL SELECT 'davit-' || ?1 || '-db' || id || '-' || generation FROM databases WHERE container_id IS NOT NULL`,
      ),
      volumes: texts("SELECT name AS text FROM volumes WHERE ?1 <> '' UNION ALL SELECT volume FROM databases"),
      networks: texts("SELECT 'davit-' || ?1 || '-e' || id AS text FROM environments"),
      tags: texts(
        `SELECT 'davit-' || ?1 || '/' || p.slug || '/' || e.slug || '/' || a.name || ':' || d.id AS text
           FROM deployments d JOIN apps a ON a.id = d.app_id JOIN environments e ON e.id = a.environment_id
           JOIN projects p ON p.id = e.project_id
          WHERE d.status = 'succeeded'`,
      ),
    };
  });
}

function without(all: readonly string[], known: readonly string[]): string[] {
  const names = new Set(known);
  return all.filter((name) => !names.has(name));
}
