/** The thread that checks files of strangers; see validator.ts. */
import { parentPort } from 'node:worker_threads';
import { type Checked, checkTemplate } from '@davit/template';
import type { CheckAsked, CheckDone } from './validator.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

parentPort?.on('message', ({ id, bytes }: CheckAsked) => {
  const { manifest, diagnostics } = check(bytes);
  const body = JSON.stringify({ valid: manifest !== null, problems: diagnostics, manifest });
  parentPort?.postMessage({ id, body } satisfies CheckDone);
});

function check(bytes: Uint8Array): Checked {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    // Whatever is wrong with it, it is not UTF-8.
    const message = 'The file is not UTF-8.';
    const hint = 'Save it as UTF-8.';
    return { manifest: null, diagnostics: [{ severity: 'error', code: 'yaml.encoding', message, path: [], hint }] };
  }
  return checkTemplate(text);
}
