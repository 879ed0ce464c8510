import type { ManifestInput } from '@davit/template';
import { type Html, html } from './markup.ts';
import { counted, listed, number } from './words.ts';

const TYPES: Record<ManifestInput['type'], string> = {
  domain: 'Domain',
  text: 'Text',
  number: 'Number',
  choice: 'Choice',
  secret: 'Secret',
  store: 'Object store',
};

/**
 * Returns the HTML table of a template's inputs. The ARIA roles are explicit, because CSS shows table rows as blocks on
 * narrow screens. This CSS removes the implicit roles.
 */
export function inputsView(inputs: readonly ManifestInput[]): Html {
  if (inputs.length === 0) return html`<p>No inputs. The template can be installed without any values.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table of inputs"><table class="inputs" role="table">
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Input</th><th scope="col" role="columnheader">Value</th><th scope="col" role="columnheader">Default</th></tr></thead>
<tbody role="rowgroup">${inputs.map(
    (
      input,
    ) => html`<tr role="row"><th scope="row" role="rowheader"><bdi>${input.label}</bdi> <code>${input.key}</code>${
      input.help ? html`<span class="help"><bdi>${input.help}</bdi></span>` : ''
    }</th>
<td role="cell" data-label="Value">${TYPES[input.type]}${rules(input)}</td><td role="cell" data-label="Default">${without(input)}</td></tr>`,
  )}</tbody></table></div>`;
}

function rules({ type, min, max, options, pattern }: ManifestInput): Html | string {
  if (type === 'choice' && options) return html`: <bdi>${listed(options.map((option) => `“${option}”`))}</bdi>`;
  if (pattern !== undefined) return html` that matches <code>${pattern}</code>`;
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  return min !== undefined ? `, at least ${min}` : max !== undefined ? `, at most ${max}` : '';
}

/**
 * Returns a text about the value of a template input that the user leaves empty. Examples are the default value and
 * `Required`.
 */
function without(input: ManifestInput): Html | string {
  if (input.default !== undefined && input.default !== '') return html`<code>${String(input.default)}</code>`;
  const made = generated(input);
  if (made) return made;
  return input.required ? html`<strong class="required">Required</strong>` : 'Empty';
}

/** Returns a text about the generation of a secret input's value. Returns `null` if the user must enter the value. */
function generated({ generate, format, bytes }: ManifestInput): string | null {
  if (format === 'uuid') return 'Generated: a UUID';
  if (bytes !== undefined) return `Generated: ${counted(bytes, 'byte')} as ${format}`;
  return generate === undefined ? null : `Generated: ${number(generate)} characters`;
}
