import { pairOf } from '../../arguments/values.ts';
import { CliError } from '../../errors/exit.ts';

/**
 * Converts nested settings to a flat list of `[name, value]` pairs. The names have the form `logs.days`. The order of
 * the settings does not change.
 */
export function flattened(value: unknown, path = ''): [string, string][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
  }
  return Object.entries(value).flatMap(([name, inner]) => flattened(inner, path === '' ? name : `${path}.${name}`));
}

/**
 * Converts arguments such as `a.b=1` to a JSON merge patch such as `{a: {b: 1}}`.
 * @throws CliError with exit `usage` if an argument has no `=` or starts with `=`
 */
export function patchOf(pairs: readonly string[]): Record<string, unknown> {
  const patch: Record<string, unknown> = Object.create(null);
  for (const text of pairs) {
    const pair = pairOf(text);
    if (pair === null)
      throw new CliError('usage', `"${text}" has no value: write setting=value, such as logs.days=14.`);
    const [path, value] = pair;
    const names = path.split('.');
    const last = names.pop() ?? '';
    holderOf(patch, names)[last] = valueOf(value);
  }
  return patch;
}

function holderOf(patch: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  let holder = patch;
  for (const name of names) {
    if (typeof holder[name] !== 'object') holder[name] = Object.create(null);
    holder = holder[name] as Record<string, unknown>;
  }
  return holder;
}

function valueOf(text: string): unknown {
  if (text === 'default') return null;
  try {
    return JSON.parse(text);
  } catch {
    // A value that is not valid JSON is used as text. Therefore, users do not need to quote texts.
    return text;
  }
}
