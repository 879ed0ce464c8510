import type { CatalogValidation } from '@davit/api/catalog.ts';
import type { Diagnostic } from '@davit/template';
import { diagnosticCard, tally } from './diagnostic.ts';
import { layout } from './layout.ts';
import { mark } from './marks.ts';
import { type Html, html } from './markup.ts';
import type { Site } from './site.ts';
import { sourceView } from './source-view.ts';

/** Example template file for the web page on which authors can check a template file. */
export const EXAMPLE = `version: 1
name: Notes
project: notes

inputs:
  - key: domain
    type: domain
    label: Host name of the notes
  - key: secret
    type: secret
    label: Key that signs sessions
    generate: 32

databases:
  - key: db
    engine: postgres
    version: "18"

apps:
  - key: web
    image: ghcr.io/example/notes
    tag: "1.4.2"
    port: 3000
    health: /health
    domains:
      - host: \${input.domain}
    attach:
      - database: db
    limits: { cpu: 0.5, memory: 512Mi }
    env:
      SESSION_SECRET: \${input.secret}
      PUBLIC_URL: https://\${input.domain}
`;

export interface CheckView {
  text: string;
  /**
   * Result of checking the template file. `null` if no file was checked, for example because the form field is empty.
   */
  checked: CatalogValidation | null;
  refusal?: string;
}

/** Returns the web page on which authors can check a template file. Published templates must pass the same checks. */
export function checkPage(site: Site, { text, checked, refusal }: CheckView): Html {
  return layout(site, {
    title: 'Check a template',
    section: 'check',
    description: 'Paste a template.yaml to see the problems that the catalog would report, line by line.',
    hidden: checked !== null,
    body: html`<div class="intro"><h1>Check a template</h1>
<p class="lead">Paste a <code>template.yaml</code> to see the problems that the catalog would report. The catalog does not store the file.</p></div>
<form class="check" method="post" action="${site.at('/check')}" data-validate="${site.at('/api/v1/validate')}" data-codes="${site.at('/codes')}">
<div class="actions"><label for="template">template.yaml</label>
<a class="button quiet" href="${site.at('/check?example=1')}" data-example>Start from an example</a>
<button type="submit">Check</button></div>
<div class="bench"><div class="editor"><textarea id="template" name="template" rows="24" spellcheck="false" autocapitalize="off" autocomplete="off" autocorrect="off" wrap="off" aria-describedby="verdict" placeholder="version: 1">
${text}</textarea></div>
<div class="result"><div id="verdict" class="verdict" role="status">${refusal ? html`<p class="refused">${mark('error')}${refusal}</p>` : verdict(checked)}</div>
<div id="problems"></div></div></div>
</form>
<template id="example">${EXAMPLE}</template>
${(['error', 'warning', 'info'] as const).map((severity) => html`<template id="said-${severity}">${diagnosticCard(site, { severity, code: '', message: '', path: [], hint: ' ' })}</template>`)}
<template id="said-good">${mark('good')}</template>
<div id="answer">${checked ? answer(site, text, checked) : ''}</div>`,
  });
}

function verdict(checked: CatalogValidation | null): Html {
  if (!checked) return html`<p class="soft">The problems of the file appear here, with line numbers.</p>`;
  const said = tally(diagnosticsOf(checked));
  return checked.valid
    ? html`<p class="valid">${mark('good')}This template is valid${said && `, with ${said}`}.</p>`
    : html`<p class="refused">${mark('error')}The catalog would refuse this template: ${said}.</p>`;
}

function answer(site: Site, text: string, checked: CatalogValidation): Html {
  const { manifest } = checked;
  return html`<section class="part" aria-labelledby="said"><h2 id="said">Problems</h2>${sourceView(site, text, diagnosticsOf(checked))}</section>
${manifest ? html`<section class="part" aria-labelledby="manifest"><h2 id="manifest">Resources to create</h2><pre class="plain" tabindex="0">${JSON.stringify(manifest, null, 2)}</pre></section>` : ''}`;
}

function diagnosticsOf({ problems }: CatalogValidation): Diagnostic[] {
  return problems as Diagnostic[];
}
