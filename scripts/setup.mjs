/**
 * Brings this machine to where a command can run: `node scripts/setup.mjs start|test|check|bench|dashboard`. Idempotent: what is
 * there already is left alone. Runs on any Node from 20 on with nothing installed.
 */
import { access, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataDirOf, settingOf } from '../packages/daemon/src/config/data-dir.mjs';
import { ensurePrograms } from './lib/apt.mjs';
import { ensureDashboard } from './lib/dashboard.mjs';
import { checkDisk } from './lib/disk.mjs';
import { ensureEngine, NoEngine } from './lib/engine.mjs';
import { engineAddress, engineRoot } from './lib/engine-address.mjs';
import { installPackages } from './lib/packages.mjs';
import { ensureRuntime } from './lib/runtime.mjs';
import { createSteps, StepFailure } from './lib/steps.mjs';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const PURPOSES = ['start', 'test', 'check', 'bench', 'dashboard'];
const DEFAULT_ENGINE_ROOT = '/var/lib/docker';

function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** The folders that fill up: where images are kept (unless the engine is elsewhere) and where the instance keeps its data. */
async function checkSpace(dataDir, dockerHost) {
  const address = engineAddress(dockerHost);
  if (!('socketPath' in address)) return checkDisk([dataDir]);
  return checkDisk([dataDir, (await engineRoot(address)) ?? DEFAULT_ENGINE_ROOT]);
}

/**
 * An instance whose engine is away still starts: it shows what was seen last. Only a first start needs to know what there
 * is, because it fixes the engine for good.
 */
async function engineForStart(options, flags) {
  const { steps, dataDir } = options;
  if ((settingOf(flags, '--engine') ?? process.env.DAVIT_ENGINE) === 'memory') {
    steps.note('The engine is set to "memory": apps are simulated, nothing real runs.');
    return 'none';
  }
  try {
    await ensureEngine(options);
    return 'docker';
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
    const started = await exists(join(dataDir, 'davit.db'));
    if (!started && !(error instanceof NoEngine)) {
      steps.note('To try Davit without an engine, with simulated apps: DAVIT_ENGINE=memory npm start');
      throw error;
    }
    return 'none';
  }
}

async function engineForTests(options) {
  try {
    await ensureEngine(options);
    return 'docker';
  } catch (error) {
    // As root the suites on a real engine are part of the promise; without root they cannot run, and say so.
    if (!(error instanceof NoEngine) || process.getuid?.() === 0) throw error;
    options.steps.note('The tests on a real engine are skipped.');
    return 'none';
  }
}

/** The small Chromium is the same without windows: page tests take a third less of the processor with it. */
const BROWSER = { chromium: 'chromium', 'chromium-headless-shell': 'chromium-headless-shell', ip: 'iproute2' };

/**
 * What tests need of the distribution. The engine lists a container's processes with `ps`; pushes come from Docker's own
 * client and from skopeo, certificates from pebble, disks that lose power from e2fsprogs and xfsprogs; the browser is large and asked for only where tests use it, on networks
 * that `ip` makes.
 */
async function testPrograms() {
  const files = await readdir(join(ROOT, 'test/e2e'), { recursive: true }).catch(() => []);
  const disks = { 'mkfs.ext4': 'e2fsprogs', 'mkfs.xfs': 'xfsprogs' };
  const browser = files.some((file) => file.endsWith('.test.ts')) ? BROWSER : {};
  return { ps: 'procps', docker: 'docker.io', skopeo: 'skopeo', pebble: 'pebble', ...disks, ...browser };
}

/**
 * @param {'start' | 'test' | 'check' | 'bench' | 'dashboard'} purpose
 * @param {string[]} [flags] of the command, for the settings that matter here
 * @param {ReturnType<typeof createSteps>} [steps]
 * @returns {Promise<{ engine: 'docker' | 'none' | 'not asked' }>}
 * @throws {StepFailure} which has been printed
 */
export async function setUp(purpose, flags = [], steps = createSteps()) {
  const dataDir = dataDirOf(flags);
  const dockerHost = settingOf(flags, '--docker-host') ?? process.env.DOCKER_HOST;
  const small = purpose === 'check' || purpose === 'dashboard';
  if (!small) await steps.run('disk', () => checkSpace(dataDir, dockerHost));
  await steps.run('npm packages', () => installPackages(ROOT));
  await steps.run('runtime', () => ensureRuntime(ROOT));
  if (purpose !== 'check')
    await steps.run('dashboard', () => ensureDashboard(ROOT, { evenOld: flags.includes('--old-dashboard') }));
  if (small) return { engine: 'not asked' };
  const options = { dataDir, dockerHost, steps };
  if (purpose === 'start') return { engine: await engineForStart(options, flags) };
  const engine = await engineForTests(options);
  const programs = purpose === 'bench' ? { wrk: 'wrk', docker: 'docker.io', pebble: 'pebble' } : await testPrograms();
  // Without an engine the suites that use them are skipped.
  if (engine === 'docker' || purpose === 'bench') {
    await steps
      .run(Object.keys(programs).join(', '), () => ensurePrograms(programs))
      .catch((error) => {
        if (!(error instanceof StepFailure) || process.getuid?.() === 0 || purpose === 'bench') throw error;
        steps.note('The tests that need it are skipped or fail.');
      });
  }
  return { engine };
}

async function main() {
  const [purpose = '', ...flags] = process.argv.slice(2);
  if (!PURPOSES.includes(purpose)) {
    console.error(`Usage: node scripts/setup.mjs ${PURPOSES.join('|')}`);
    return 2;
  }
  await setUp(purpose, flags);
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof StepFailure)) console.error(error);
    process.exitCode = 1;
  }
}
