import { bytes } from '@davit/api/byte-size.ts';
import type { Manifest, ManifestCondition, ManifestLimits } from '@davit/template';
import { type Html, html, joined } from './markup.ts';
import { counted } from './words.ts';

/**
 * Rows of a table on a template page, each with a name and a value. The table describes one app, database, object store
 * or job.
 */
export type Facts = [name: string, value: Html | string][];

export function fact(isThere: boolean, name: string, value: Html | string): Facts {
  return isThere ? [[name, value]] : [];
}

/**
 * Returns table rows about an app, database or object store of a template. The rows contain the limits, and the
 * condition under which the template creates the resource.
 */
export function commonFacts(
  manifest: Manifest,
  { limits, when }: { limits: ManifestLimits | null; when?: ManifestCondition },
): Facts {
  const parts = [
    ...(limits?.cpu == null ? [] : [cpus(limits.cpu)]),
    ...(limits?.memory_bytes == null ? [] : [bytes(limits.memory_bytes)]),
  ];
  return [['Limits', parts.length > 0 ? parts.join(', ') : 'none'], ...conditionFact(manifest, when)];
}

export function conditionFact(manifest: Manifest, when: ManifestCondition | undefined): Facts {
  return fact(when !== undefined, 'Condition', conditionWords(manifest, when).replace(/^, only /, ''));
}

/**
 * Returns the condition of a template's resource as text, such as `, only when “Mail” is “smtp”`. Returns an empty text
 * if the resource is always created.
 */
export function conditionWords(manifest: Manifest, when: ManifestCondition | undefined): string {
  if (!when) return '';
  const label = labelOf(manifest, when.input);
  if (when.equals !== undefined) return `, only when “${label}” is “${when.equals}”`;
  return when.not === undefined ? `, only when “${label}” has a value` : `, only when “${label}” is not “${when.not}”`;
}

/** Returns the label of a template input if `text` is a reference such as `${input.x}`. Otherwise, returns `text`. */
export function reference(manifest: Manifest, text: string): Html {
  const key = referredInput(text);
  return key === null ? html`<code>${text}</code>` : html`<bdi>“${labelOf(manifest, key)}”</bdi>`;
}

/**
 * Returns the key of a template input if `text` is exactly one reference such as `${input.x}`. Otherwise, returns
 * `null`.
 */
export function referredInput(text: string): string | null {
  return /^\s*\$\{input\.([\w-]+)\}\s*$/.exec(text)?.[1] ?? null;
}

export function cpus(value: number): string {
  return counted(Number(value.toFixed(2)), 'CPU');
}

export function codes(words: readonly string[]): Html {
  return html`${joined(
    words.map((word) => html`<code>${word}</code>`),
    ', ',
  )}`;
}

export function lines(values: Html[]): Html {
  return values.length === 1 ? html`${values}` : html`<ul>${values.map((value) => html`<li>${value}</li>`)}</ul>`;
}

function labelOf({ inputs }: Manifest, key: string): string {
  return inputs.find((input) => input.key === key)?.label ?? key;
}
