import { parentPort } from 'node:worker_threads';
import type { ReadmeLocation } from './location.ts';
import { renderReadme } from './render.ts';

export interface ToReadme {
  markdown: string;
  place: ReadmeLocation;
}

/**
 * Message from the worker thread that renders READMEs. The first message is `ready`. Each further message contains the
 * HTML of a README, or `null` if rendering failed.
 */
export type FromReadme = 'ready' | { html: string | null };

if (!parentPort) throw new Error('The renderer of READMEs must run in a worker thread.');
const port = parentPort;

port.on('message', ({ markdown, place }: ToReadme) => {
  port.postMessage({ html: tryRender(markdown, place) } satisfies FromReadme);
});
port.postMessage('ready' satisfies FromReadme);

function tryRender(markdown: string, location: ReadmeLocation): string | null {
  try {
    return renderReadme(markdown, location);
  } catch {
    // If rendering a README fails, the web page shows the README as plain text.
    return null;
  }
}
