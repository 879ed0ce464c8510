/** Builds a nested JSON merge patch from flat paths such as `health.path` and their values. */
export function mergePatch(fields: readonly (readonly [path: string, value: unknown])[]): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const [path, value] of fields) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at = patch;
    for (const name of names) {
      at[name] ??= {};
      at = at[name] as Record<string, unknown>;
    }
    at[last] = value;
  }
  return patch;
}
