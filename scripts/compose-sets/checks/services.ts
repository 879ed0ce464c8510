import { itemsOf, mappingOf, textOf } from '../compose.ts';
import { type Part, type Verdict, verdictOf } from '../part.ts';

/** Returns the names of the services that a service waits for. */
export function dependenciesOf(value: unknown): string[] {
  return Array.isArray(value) ? itemsOf(value).map(textOf) : Object.keys(mappingOf(value));
}

export function checkDependencies({ kind, made, keys, databases }: Part, value: unknown): Verdict {
  const names = dependenciesOf(value).filter((name) => keys.has(name));
  if (kind === 'database' || names.length === 0) return 'none';
  const waits = itemsOf(made.depends_on).map(String);
  // Databases run before any app starts. A job never waits for its own app.
  const missing = names.filter((name) => {
    const key = keys.get(name) ?? '';
    return !databases.has(name) && !waits.includes(key) && made.app !== key;
  });
  return verdictOf(missing.map((name) => `${name} is missing`));
}
