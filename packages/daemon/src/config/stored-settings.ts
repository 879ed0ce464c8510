import { InstanceSettings } from '@davit/api';
import type { z } from 'zod';

export interface StoredSettings {
  settings: InstanceSettings;
  /**
   * Names of stored settings that this Davit version does not accept, for example `registries.private_hosts`. For these
   * settings, Davit uses the default values.
   */
  refused: string[];
}

type Path = readonly PropertyKey[];

/**
 * Parses the instance settings. An invalid setting gets its default value. The daemon must start even if an earlier
 * Davit version stored a setting that is now invalid.
 */
export function readStoredSettings(json: string): StoredSettings {
  const stored: unknown = JSON.parse(json);
  const refused: string[] = [];
  for (;;) {
    const { data, error } = InstanceSettings.safeParse(stored);
    if (data !== undefined) return { settings: data, refused };
    const taken = fieldsOf(error).filter((path) => remove(stored, path));
    if (taken.length === 0) return { settings: InstanceSettings.parse({}), refused: ['all of them'] };
    refused.push(...taken.map((path) => path.join('.')));
  }
}

/**
 * Returns the paths of the invalid fields in a Zod error. If an element of an array is invalid, returns the path of the
 * array.
 */
function fieldsOf({ issues }: z.ZodError): Path[] {
  const paths = issues.flatMap((issue): Path[] =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path],
  );
  const fields = paths.map((path) => {
    const element = path.findIndex((part) => typeof part === 'number');
    return element === -1 ? path : path.slice(0, element);
  });
  return [...new Map(fields.map((path) => [path.join('.'), path])).values()];
}

/**
 * Removes a field from a nested object.
 * @returns whether the field existed
 */
function remove(tree: unknown, path: Path): boolean {
  const [first, ...rest] = path;
  if (first === undefined || typeof tree !== 'object' || tree === null) return false;
  if (rest.length > 0) return remove(Reflect.get(tree, first), rest);
  return Reflect.has(tree, first) && Reflect.deleteProperty(tree, first);
}
