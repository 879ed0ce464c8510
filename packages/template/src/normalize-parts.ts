import type { DraftCondition, DraftLimits } from './draft.ts';
import type { ManifestCondition, ManifestLimits } from './manifest.ts';
import { parseBytes } from './rules/amounts.ts';

/** Normalizes limits. A missing limit is `null`, and the result is `null` if there are no limits. */
export function normalizeLimits(limits: DraftLimits | undefined): ManifestLimits | null {
  if (limits === undefined) return null;
  return {
    cpu: limits.cpu ?? null,
    memory_bytes: limits.memory === undefined ? null : parseBytes(limits.memory),
  };
}

/** Returns the key `when` if there is a condition. */
export function normalizeWhen(when: DraftCondition | undefined): { when?: ManifestCondition } {
  if (when === undefined) return {};
  const { input, ...rest } = when;
  return { when: { input, ...given(rest) } };
}

/** Returns an object without the keys that are `undefined`. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  // The remaining values are never `undefined`, which the type of `Object.fromEntries` cannot express.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>;
}

type Given<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };
