import { pairsOf } from '../../arguments/values.ts';
import { CliError } from '../../errors/exit.ts';

export const NAME = {
  value: 'resource=name',
  repeatable: true,
  description:
    'new name for an app, database or object store of the template, as resource=name, such as apps.web=site or databases.db=orders',
} as const;

const KINDS = ['apps', 'databases', 'object_stores'] as const;
type Names = Record<(typeof KINDS)[number], Record<string, string>>;

/**
 * Parses `--name` options such as `apps.web=site`, which rename resources of a template.
 * @throws CliError with exit `usage` if an option does not have this format
 */
export function namesOf(texts: readonly string[]): Names {
  const names: Names = { apps: {}, databases: {}, object_stores: {} };
  for (const [part, name] of Object.entries(pairsOf(texts, 'name of a resource'))) {
    const [kind, key, ...more] = part.split('.');
    const known = KINDS.find((one) => one === kind);
    if (known === undefined || !key || more.length > 0)
      throw new CliError(
        'usage',
        `"${part}" is not a resource of a template: write apps.<key>, databases.<key> or object_stores.<key>.`,
      );
    names[known][key] = name;
  }
  return names;
}
