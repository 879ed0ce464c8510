import { type Html, html, trusted } from './markup.ts';

/**
 * SVG paths of small icons. Screen readers ignore the icons, because the text beside each icon has the same meaning.
 */
const PATHS = {
  star: '<path d="M8 1.6l1.9 4 4.4.6-3.2 3 .8 4.3L8 11.4l-3.9 2.1.8-4.3-3.2-3 4.4-.6z"/>',
  verified:
    '<path d="M8 1l5.5 2v4.2c0 3.5-2.2 6.2-5.5 7.8-3.3-1.6-5.5-4.3-5.5-7.8V3z"/><path class="cut" d="M5.3 7.8l2 2 3.5-3.8"/>',
  search: '<path class="thin" d="M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.4 10.4l3.3 3.3"/>',
  error: '<path d="M8 1.2a6.8 6.8 0 1 1 0 13.6A6.8 6.8 0 0 1 8 1.2z"/><path class="cut" d="M8 4.5v4.2M8 11.2v.1"/>',
  warning: '<path d="M8 1.6l6.9 12.6H1.1z"/><path class="cut" d="M8 6v4M8 12v.1"/>',
  info: '<path d="M8 1.2a6.8 6.8 0 1 1 0 13.6A6.8 6.8 0 0 1 8 1.2z"/><path class="cut" d="M8 7.4v4M8 4.7v.1"/>',
  good: '<path d="M8 1.2a6.8 6.8 0 1 1 0 13.6A6.8 6.8 0 0 1 8 1.2z"/><path class="cut" d="M5 8.2l2.1 2.1L11.1 6"/>',
  app: '<path class="thin" d="M2.5 3.5h11v9h-11zM2.5 6h11"/>',
  database:
    '<path class="thin" d="M2.8 4c0-2.6 10.4-2.6 10.4 0v8c0 2.6-10.4 2.6-10.4 0zM2.8 4c0 2.6 10.4 2.6 10.4 0M2.8 8c0 2.6 10.4 2.6 10.4 0"/>',
  store: '<path class="thin" d="M2.3 4h11.4l-1.2 9.5h-9zM2.3 4c0-2 11.4-2 11.4 0"/>',
  job: '<path class="thin" d="M8 2.2a5.8 5.8 0 1 1 0 11.6A5.8 5.8 0 0 1 8 2.2zM8 5v3.2l2.2 1.4"/>',
  // Product logo: a ship with a small crane that lowers a boat. The English word for this crane is "davit".
  brand: '<path class="thin" d="M4 21V9a6 6 0 0 1 12 0v2M2 21h8M16 11v3M11.5 14h9l-1.6 4h-5.8z"/>',
} as const;

export type Mark = keyof typeof PATHS;

export function mark(name: Mark): Html {
  const side = name === 'brand' ? 24 : 16;
  return html`<svg class="mark mark-${name}" viewBox="0 0 ${side} ${side}" aria-hidden="true" focusable="false">${trusted(PATHS[name])}</svg>`;
}
