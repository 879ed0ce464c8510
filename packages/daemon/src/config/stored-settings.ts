import { InstanceSettings } from '@davit/api';
import type { z } from 'zod';

/** The settings of the instance as they are stored. */
export interface StoredSettings {
  settings: InstanceSettings;
  /** Stored settings that this version of Davit refuses, such as `registries.private_hosts`. They have their defaults. */
  refused: string[];
}

type Path = readonly PropertyKey[];

/** Reads stored settings. An earlier version may have taken what this one refuses, and the instance has to start on it. */
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

/** The fields that a schema refuses: a list is one field, also when only an element of it is wrong. */
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

/** @returns whether there was such a field */
function remove(tree: unknown, path: Path): boolean {
  const [first, ...rest] = path;
  if (first === undefined || typeof tree !== 'object' || tree === null) return false;
  if (rest.length > 0) return remove(Reflect.get(tree, first), rest);
  return Reflect.has(tree, first) && Reflect.deleteProperty(tree, first);
}
