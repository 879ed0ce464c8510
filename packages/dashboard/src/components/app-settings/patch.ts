/** Combines paths such as `health.path` and their values into one JSON merge patch. */
export function mergePatch(fields: readonly (readonly [path: string, value: unknown])[]): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const [path, value] of fields) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at = patch;
    for (const name of names) {
      at[name] ??= {};
      // The object exists, because this loop or an earlier field created it.
      at = at[name] as Record<string, unknown>;
    }
    at[last] = value;
  }
  return patch;
}
