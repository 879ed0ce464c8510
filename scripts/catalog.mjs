/**
 * `npm run catalog`: sets up the machine and creates the example repositories unless another source is set. Then the
 * command starts the catalog with the pinned runtime and runs in the foreground until it is stopped. The command needs
 * only Node 20 or newer. Flags are those of the catalog (`--listen`, `--source`, …). `npm run catalog -- block
 * <subject> <reason>` and the other commands work while the server runs.
 */
import { join } from 'node:path';
import { dataDirOf } from '../packages/catalog/src/config/data-dir.mjs';
import { settingOf } from '../packages/service/src/data-dir.mjs';
import { ensurePrograms } from './lib/apt.mjs';
import { execute } from './lib/command.mjs';
import { checkDisk } from './lib/disk.mjs';
import { handOver } from './lib/handover.mjs';
import { installPackages } from './lib/packages.mjs';
import { ensureRuntime, runtimePath } from './lib/runtime.mjs';
import { startServer, stopSignal, watchOver } from './lib/server.mjs';
import { createSteps, formatDuration, StepFailure } from './lib/steps.mjs';
import { ROOT } from './setup.mjs';

const MAIN = 'packages/catalog/src/main.mjs';

const args = process.argv.slice(2);
const dataDir = dataDirOf(args);
const logFile = join(dataDir, 'catalog.log');
const source = settingOf(args, '--source') || process.env.DAVIT_CATALOG_SOURCE || '';
const steps = createSteps();

/** Reports all problems of the settings before anything is created. */
async function checkSettings() {
  const { code, output } = await execute(runtimePath(ROOT), [join(ROOT, MAIN), 'settings', ...args]);
  if (code === 0) return;
  const problems = output.replaceAll('✗ ', '').trimEnd();
  const page = 'docs/reference/catalog-config.md';
  throw new StepFailure(problems, problems.includes(page) ? '' : `The settings are listed in ${page}.`);
}

async function makeExamples() {
  const folder = join(dataDir, 'examples');
  const { code, output } = await execute(runtimePath(ROOT), [join(ROOT, 'scripts/example-catalog.ts'), folder]);
  if (code !== 0) throw new StepFailure(`The example repositories could not be made in ${folder}.`, '', output);
  return folder;
}

/** Sets up the machine for a catalog. */
async function setUpCatalog() {
  await steps.run('disk', () => checkDisk([dataDir]));
  await steps.run('npm packages', () => installPackages(ROOT));
  await steps.run('runtime', () => ensureRuntime(ROOT));
  await steps.run('settings', checkSettings);
  if (source === 'github') return;
  await steps.run('git', () => ensurePrograms({ git: 'git' }));
  if (source === '') await steps.run('example templates', makeExamples);
}

function banner({ url, publicUrl, from }) {
  const rows = [
    ['Pages', publicUrl],
    ['API', `${publicUrl}/api/v1/templates`],
    ['Documentation', `${publicUrl}/api/v1/docs`],
    ...(publicUrl === url ? [] : [['Listens on', url]]),
    ['Templates from', from],
    ['Log', logFile],
  ];
  return [
    '',
    `  The catalog is up after ${formatDuration(process.uptime() * 1000)}.`,
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(17)}${value}`),
    '',
    '  Ctrl-C stops it.',
    '',
  ];
}

async function serve() {
  await setUpCatalog();
  const stopping = stopSignal();
  const common = { name: 'catalog', logFile, steps, stopping };
  const command = [runtimePath(ROOT), join(ROOT, MAIN), ...args];
  const { ended, outcome } = await startServer(command, { ...common, variable: 'DAVIT_CATALOG_DATA_DIR' });
  if (outcome.kind === 'failed') {
    steps.failed('start the catalog', null, new StepFailure(outcome.message));
    await ended;
    return 1;
  }
  if (outcome.kind === 'ready') {
    for (const text of banner(outcome)) steps.line(text);
    if (/^http:\/\/(?:0\.0\.0\.0|\[::\]):/.test(outcome.publicUrl))
      steps.note('Name the address that others reach it at with DAVIT_CATALOG_URL: icons are given under it.');
  }
  return watchOver(ended, { ...common, again: 'npm run catalog' });
}

/** Runs a command while the server runs. Prints only the output of the command, unless something is missing. */
async function runCommand() {
  await installPackages(ROOT);
  await ensureRuntime(ROOT);
  return handOver(ROOT, MAIN, args);
}

try {
  process.exitCode = args.length === 0 || args[0].startsWith('-') ? await serve() : await runCommand();
} catch (error) {
  if (!(error instanceof StepFailure)) console.error(error);
  process.exitCode = 1;
}
