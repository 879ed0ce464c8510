import { CODES, type CodeInfo, LAYERS, type Layer } from '@davit/template';
import { layout } from './layout.ts';
import { mark } from './marks.ts';
import { type Html, html, withCode } from './markup.ts';
import type { Site } from './site.ts';

const SEVERITIES = { error: 'Makes the file invalid', warning: 'Warning', info: 'Advice' } as const;

/** Returns the web page that explains all diagnostic codes of template checks. Each code has an HTML anchor. */
export function codesPage(site: Site): Html {
  const layers = Object.entries(LAYERS) as [Layer, { title: string; about: string }][];
  return layout(site, {
    title: 'Codes',
    section: 'codes',
    description: 'All codes of the template check, with their meaning and what to do.',
    body: html`<div class="intro"><h1>Codes</h1>
<p class="lead">All codes of the template check, with their meaning and what to do. A file with an error is not valid. Warnings and advice do not make a file invalid.</p></div>
<nav class="jump" aria-label="Layers"><ul class="chips">${layers.map(([layer, { title }]) => html`<li><a class="chip" href="#${layer}">${title}</a></li>`)}</ul></nav>
${layers.map(
  ([
    layer,
    { title, about },
  ]) => html`<section class="part" aria-labelledby="${layer}"><h2 id="${layer}">${title}</h2><p>${withCode(about)}</p>
<dl class="codes">${codesOf(layer).map(([code, info]) => entry(code, info))}</dl></section>`,
)}`,
  });
}

function codesOf(layer: Layer): [string, CodeInfo][] {
  return Object.entries(CODES as Record<string, CodeInfo>).filter(([, info]) => info.layer === layer);
}

function entry(code: string, { severities, means, fix }: CodeInfo): Html {
  return html`<div id="${code}"><dt><a class="code" href="#${code}">${code}</a>${severities.map(
    (severity) => html`<span class="grade ${severity}">${mark(severity)}${SEVERITIES[severity]}</span>`,
  )}</dt><dd>${withCode(means)}</dd><dd class="fix">${withCode(fix)}</dd></div>`;
}
