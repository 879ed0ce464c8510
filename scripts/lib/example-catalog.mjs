/**
 * The catalog of the example templates. The catalog runs next to an instance for which no other catalog is configured.
 */
import { createServer } from 'node:net';
import { join } from 'node:path';
import { settingOf } from '../../packages/service/src/data-dir.mjs';
import { ensurePrograms } from './apt.mjs';
import { execute } from './command.mjs';
import { runtimePath } from './runtime.mjs';
import { startServer } from './server.mjs';
import { StepFailure } from './steps.mjs';

const VARIABLE = 'DAVIT_INSTANCE_CATALOG_URL';

/** Returns whether another catalog is configured. In that case this catalog does not run. */
export function namesCatalog(flags) {
  return (settingOf(flags, '--catalog-url') ?? process.env[VARIABLE] ?? '') !== '';
}

/**
 * Returns the address of the catalog, on a free port. The address is selected before the catalog runs, because the
 * instance needs it earlier.
 * @returns {Promise<string>}
 */
export async function chooseAddress() {
  const server = createServer();
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${port}`;
}

/**
 * Runs the catalog until `stopping`. A failure is never fatal, because an instance works without a catalog.
 * @param {{ root: string, dataDir: string, address: string, steps: ReturnType<typeof
 * import('./steps.mjs').createSteps>, stopping: AbortSignal }} options
 * @returns {Promise<{ url: string | null, ended: Promise<unknown> }>} `url`: URL of its pages, or null if it does not
 * run
 */
export async function startExampleCatalog({ root, dataDir, address, steps, stopping }) {
  const folder = join(dataDir, 'catalog');
  try {
    await ensurePrograms({ git: 'git' });
    await makeExamples(root, join(folder, 'examples'));
    const command = [runtimePath(root), join(root, 'packages/catalog/src/main.mjs')];
    const flags = ['--data-dir', folder, '--listen', address, '--source', `dir:${join(folder, 'examples')}`];
    const common = { name: 'catalog', logFile: join(folder, 'catalog.log'), steps, stopping };
    const { ended, outcome } = await startServer([...command, ...flags], common);
    if (outcome.kind === 'ready') return { url: outcome.publicUrl, ended };
    if (outcome.kind === 'failed') throw new StepFailure(outcome.message);
    return { url: null, ended };
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
    steps.note(`There is no catalog of example templates: ${error.message} The instance runs without it.`);
    return { url: null, ended: Promise.resolve() };
  }
}

async function makeExamples(root, folder) {
  const { code, output } = await execute(runtimePath(root), [join(root, 'scripts/example-catalog.ts'), folder]);
  if (code !== 0) throw new StepFailure(`The example repositories could not be made in ${folder}.`, '', output);
}
