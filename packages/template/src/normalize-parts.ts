import type { DraftCondition, DraftLimits } from './draft.ts';
import type { ManifestCondition, ManifestLimits } from './manifest.ts';
import { parseBytes } from './rules/amounts.ts';

/** What is not limited is null; limits that are not given at all are null themselves. */
export function normalizeLimits(limits: DraftLimits | undefined): ManifestLimits | null {
  if (limits === undefined) return null;
  return {
    cpu: limits.cpu ?? null,
    memory_bytes: limits.memory === undefined ? null : parseBytes(limits.memory),
  };
}

/** The key `when`, where there is a condition. */
export function normalizeWhen(when: DraftCondition | undefined): { when?: ManifestCondition } {
  if (when === undefined) return {};
  const { input, ...rest } = when;
  return { when: { input, ...given(rest) } };
}

/** An object without the keys that are given as undefined. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  // What is left has no undefined, which the type of Object.fromEntries cannot say.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>;
}

type Given<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };
