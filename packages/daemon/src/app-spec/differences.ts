import { isDeepStrictEqual } from 'node:util';
import type { RevisionComparison } from '@davit/api';
import { type Fields, isFields } from './fields.ts';

/**
 * Returns the settings that differ between two revisions of an app, with the path of each setting. `from` or `to` is
 * absent if the revision does not have the setting.
 */
export function settingsDifferences(from: object, to: object): RevisionComparison['settings'] {
  return differences(from as Fields, to as Fields, '');
}

function differences(from: Fields, to: Fields, prefix: string): RevisionComparison['settings'] {
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return keys.flatMap((key) => {
    const [a, b] = [from[key], to[key]];
    if (isDeepStrictEqual(a, b)) return [];
    if (isFields(a) && isFields(b)) return differences(a, b, `${prefix}${key}.`);
    return [{ path: `${prefix}${key}`, ...(a !== undefined && { from: a }), ...(b !== undefined && { to: b }) }];
  });
}
