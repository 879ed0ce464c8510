/** `health.path` and its value, several of them, as one JSON merge patch. */
export function mergePatch(fields: readonly (readonly [path: string, value: unknown])[]): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const [path, value] of fields) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at = patch;
    for (const name of names) {
      at[name] ??= {};
      // Made above, or by a field before this one.
      at = at[name] as Record<string, unknown>;
    }
    at[last] = value;
  }
  return patch;
}
