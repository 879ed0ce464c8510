import { mark } from './marks.ts';
import { type Html, html } from './markup.ts';
import type { Site } from './site.ts';

/** Navigation item that is highlighted on a web page. `null` if the page is not in the navigation. */
export type Section = 'templates' | 'check' | 'codes' | null;

export interface PageParts {
  /** Title of the web page. The site's name is appended to the title. */
  title: string;
  /** Description of the web page for search engines and link previews. */
  description?: string;
  section: Section;
  /** HTML content below the header of the web page. The content must include one `h1`. */
  body: Html | Html[];
  /** Whether search engines must not index the web page. */
  hidden?: boolean;
}

export function layout(site: Site, { title, description, section, body, hidden }: PageParts): Html {
  const { style, script, icon } = site.assets;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Davit catalog</title>
${description ? html`<meta name="description" content="${description}">` : ''}
${hidden ? html`<meta name="robots" content="noindex">` : ''}
<link rel="icon" href="${site.at(icon.path)}" type="image/svg+xml">
<link rel="stylesheet" href="${site.at(style.path)}">
<script type="module" src="${site.at(script.path)}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<div class="wide">
<a class="brand" href="${site.at('/')}">${mark('brand')}<span>Davit <span class="soft">catalog</span></span></a>
<nav aria-label="Site">
${tab(site, '/', 'Templates', section === 'templates')}
${tab(site, '/check', 'Check a file', section === 'check')}
${tab(site, '/codes', 'Codes', section === 'codes')}
</nav>
</div>
</header>
<main id="main" class="wide" tabindex="-1">
${body}
</main>
<footer class="bottom">
<div class="wide">
<p>The catalog checks every release before it lists it. The author of a template is responsible for its content.</p>
<p class="links"><a href="${site.at('/api/v1/docs')}">API</a> <a href="${site.at('/api/v1/openapi.json')}">OpenAPI</a>
<a href="${site.at('/api/v1/schema/template/v1.json')}">JSON Schema</a> <a href="${site.at('/codes')}">Codes</a></p>
</div>
</footer>
</body>
</html>
`;
}

function tab(site: Site, path: string, words: string, current: boolean): Html {
  return html`<a href="${site.at(path)}"${current ? html` aria-current="page"` : ''}>${words}</a>`;
}
