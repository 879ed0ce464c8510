/** Worker thread that checks untrusted template files. `validator.ts` starts the thread. */
import { parentPort } from 'node:worker_threads';
import { checkTemplateBytes } from '@davit/template';
import type { CheckDone, CheckRequest } from './validator.ts';

parentPort?.on('message', ({ id, bytes }: CheckRequest) => {
  const { manifest, diagnostics } = checkTemplateBytes(bytes);
  const body = JSON.stringify({ valid: manifest !== null, problems: diagnostics, manifest });
  parentPort?.postMessage({ id, body } satisfies CheckDone);
});
