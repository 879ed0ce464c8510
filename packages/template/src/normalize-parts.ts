import type { DraftCondition, DraftLimits } from './draft.ts';
import type { ManifestCondition, ManifestLimits } from './manifest.ts';
import { parseBytes } from './rules/amounts.ts';

/** Normalizes CPU and memory limits. A missing limit is `null`. Returns `null` if `limits` is absent. */
export function normalizeLimits(limits: DraftLimits | undefined): ManifestLimits | null {
  if (limits === undefined) return null;
  return {
    cpu: limits.cpu ?? null,
    memory_bytes: limits.memory === undefined ? null : parseBytes(limits.memory),
  };
}

/**
 * Returns an object with the field `when`, so that the caller can copy the condition into the manifest. Returns an
 * empty object if there is no condition.
 */
export function normalizeWhen(when: DraftCondition | undefined): { when?: ManifestCondition } {
  if (when === undefined) return {};
  const { input, ...rest } = when;
  return { when: { input, ...given(rest) } };
}

export function given<Fields extends object>(fields: Fields): Given<Fields> {
  // The type cast is necessary because TypeScript does not detect that the filter removes all `undefined` values.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>;
}

type Given<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };
