import type { Style } from '../output/paint.ts';
import type { Change, Sign } from './change.ts';

const STYLES: Record<Sign, Style> = { '+': 'green', '~': 'yellow', '-': 'red', '=': 'dim' };

/** Maximum length of a value in the output of `davit plan`, in characters. */
const MOST_CHARACTERS = 80;

export function changeStyle({ sign }: Change): Style {
  return STYLES[sign];
}

/**
 * Formats one change of a plan as an output line. The line can contain control characters, so print it only with
 * `Printer`.
 */
export function changeText(change: Change): string {
  const { sign, kind, name } = change;
  return `${sign} ${kind === 'setting' ? name : `${kind} ${name}`}${values(change)}`;
}

function values({ sign, kind, from, to }: Change): string {
  if (sign === '=') return ', not in the file: no change';
  if (kind === 'variable' && to === null) return ' (secret)';
  if (sign === '-') return `: ${short(from)} goes back to the default${to === null ? '' : `, ${short(to)}`}`;
  if (from !== null && (to !== null || kind === 'setting')) return `: ${short(from)} → ${short(to)}`;
  return to === null ? '' : `: ${short(to)}`;
}

function short(value: string | null): string {
  const text = value ?? 'null';
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text;
}
