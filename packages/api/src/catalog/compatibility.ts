/**
 * Finds breaking changes between two OpenAPI documents. New paths, responses, response fields, codes and optional
 * parameters are allowed. All other changes are breaking.
 */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** OpenAPI keywords for human-readable text, such as `description`. Changing such a text is not a breaking change. */
const WORDS = new Set(['description', 'summary', 'title', 'examples', 'example', 'info', 'externalDocs', 'tags']);
/** OpenAPI keywords for objects whose keys are names. A new name in such an object is not a breaking change. */
const CONTAINERS = new Set(['paths', 'properties', 'schemas', 'responses', 'headers', 'content', 'components']);
/** OpenAPI keywords with a list of values. A new value in such a list is not a breaking change. */
const GROWING = new Set(['enum', 'required']);

/** Returns the breaking changes between two parsed OpenAPI documents. Each change is described in one sentence. */
export function breakingChanges(before: unknown, after: unknown): string[] {
  return compare(before as Json, after as Json, []);
}

function compare(before: Json, after: Json | undefined, path: readonly string[]): string[] {
  if (after === undefined) return [`${show(path)} is removed`];
  const key = path.at(-1) ?? '';
  if (Array.isArray(before)) {
    if (!Array.isArray(after)) return [`${show(path)} is changed`];
    if (key === 'parameters') return compareParameters(before, after, path);
    if (GROWING.has(key))
      return before.filter((one) => !after.includes(one)).map((one) => `${show([...path, String(one)])} is removed`);
    if (before.length !== after.length) return [`${show(path)} is changed`];
    return before.flatMap((one, i) => compare(one, after[i], [...path, String(i)]));
  }
  if (!isObject(before)) return before === after ? [] : [`${show(path)} is changed`];
  if (!isObject(after)) return [`${show(path)} is changed`];
  const names = isNames(path);
  const kept = Object.entries(before)
    .filter(([name]) => names || !WORDS.has(name))
    .flatMap(([name, value]) => compare(value, after[name], [...path, name]));
  const added = Object.entries(after)
    .filter(([name]) => !(name in before) && !WORDS.has(name))
    .flatMap(([name, value]) => judgeAdded(name, value, path));
  return [...kept, ...added];
}

function judgeAdded(name: string, value: Json, path: readonly string[]): string[] {
  const here = [...path, name];
  if (name === 'parameters' && Array.isArray(value)) return compareParameters([], value, here);
  // A new API version may add names, such as schemas or response fields, and HTTP methods of a path.
  if (isNames(path) || name === 'components' || path.at(-2) === 'paths') return [];
  // An empty `security` list means that the API needs no key. A missing `security` list has the same meaning.
  if (here.join() === 'security' && Array.isArray(value) && value.length === 0) return [];
  return [`${show(here)} is added, which narrows what was there`];
}

/**
 * Compares the parameters of an operation. A new required parameter is a breaking change, because existing clients do
 * not send it.
 */
function compareParameters(before: Json[], after: Json[], path: readonly string[]): string[] {
  const named = (list: Json[]) => new Map(list.filter(isObject).map((one) => [`${one.in} ${one.name}`, one]));
  const later = named(after);
  const earlier = named(before);
  const kept = [...earlier].flatMap(([name, one]) => compare(one, later.get(name), [...path, name]));
  const demanded = [...later].filter(([name, one]) => !earlier.has(name) && one.required === true);
  return [...kept, ...demanded.map(([name]) => `${show([...path, name])} is added and has to be given`)];
}

/**
 * Returns whether the keys of the object at this path are user-defined names. In all other objects, the keys are
 * OpenAPI keywords.
 */
function isNames(path: readonly string[]): boolean {
  const parent = path.at(-2) ?? '';
  return parent === 'components' || (CONTAINERS.has(path.at(-1) ?? '') && !CONTAINERS.has(parent));
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function show(path: readonly string[]): string {
  return path.join(' › ');
}
