import type { Catalog } from './catalog.ts';

/** Reports whether the catalog server has started. The report goes to the parent process or to the terminal. */
export interface Report {
  ready(catalog: Catalog): void;
  failed(message: string): void;
}

type Message = Record<string, unknown> & { kind: string };

/**
 * Creates the object that reports the start of the catalog server. `send` sends the report to the parent process.
 * Without `send`, `write` prints the report as a line of text.
 */
export function createReport(send: ((message: Message) => void) | undefined, write: (line: string) => void): Report {
  const emit = (message: Message, line: string) => (send ? send(message) : write(line));
  return {
    ready({ url, config: { url: publicUrl, source, dataDir } }) {
      const from = source.kind === 'dir' ? source.path : source.baseUrl;
      emit({ kind: 'ready', url, publicUrl, source: source.kind, from, dataDir }, `The catalog is at ${url}`);
    },
    failed: (message) => emit({ kind: 'failed', message }, `✗ ${message}`),
  };
}
