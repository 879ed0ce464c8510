/** Combines paths such as `health.path` and their values into one nested JSON merge patch. */
export function mergePatch(fields: readonly (readonly [path: string, value: unknown])[]): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const [path, value] of fields) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at = patch;
    for (const name of names) {
      at[name] ??= {};
      // `at[name]` is an object, because this loop or an earlier path created it.
      at = at[name] as Record<string, unknown>;
    }
    at[last] = value;
  }
  return patch;
}
