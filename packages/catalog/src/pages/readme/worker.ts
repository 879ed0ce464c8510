import { parentPort } from 'node:worker_threads';
import type { Place } from './place.ts';
import { renderReadme } from './render.ts';

/** What the thread is asked. */
export interface ToReadme {
  markdown: string;
  place: Place;
}

/** What it answers, after `ready` once: HTML, or null where rendering threw. */
export type FromReadme = 'ready' | { html: string | null };

if (!parentPort) throw new Error('render a README: this file is a thread of the catalog');
const port = parentPort;

port.on('message', ({ markdown, place }: ToReadme) => {
  port.postMessage({ html: tryRender(markdown, place) } satisfies FromReadme);
});
port.postMessage('ready' satisfies FromReadme);

function tryRender(markdown: string, place: Place): string | null {
  try {
    return renderReadme(markdown, place);
  } catch {
    // A README that breaks the renderer is shown as it is written.
    return null;
  }
}
