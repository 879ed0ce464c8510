/**
 * Sets up this machine for a command: `node scripts/setup.mjs start|test|long|check|bench|dashboard`. The script changes
 * nothing that already exists, and needs only Node 20 or newer.
 */
import { access, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataDirOf, settingOf } from '../packages/daemon/src/config/data-dir.mjs';
import { ensurePrograms } from './lib/apt.mjs';
import { ensureDaemon } from './lib/daemon.mjs';
import { ensureDashboard } from './lib/dashboard.mjs';
import { checkDisk } from './lib/disk.mjs';
import { ensureEngine, NoEngine } from './lib/engine.mjs';
import { engineAddress, engineRoot } from './lib/engine-address.mjs';
import { installPackages } from './lib/packages.mjs';
import { ensureRuntime } from './lib/runtime.mjs';
import { createSteps, StepFailure } from './lib/steps.mjs';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const PURPOSES = ['start', 'test', 'long', 'check', 'bench', 'dashboard'];
const DEFAULT_ENGINE_ROOT = '/var/lib/docker';

function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Checks the folders that grow: the folder of images (unless the engine is on another machine) and the data directory.
 */
async function checkSpace(dataDir, dockerHost) {
  const address = engineAddress(dockerHost);
  if (!('socketPath' in address)) return checkDisk([dataDir]);
  return checkDisk([dataDir, (await engineRoot(address)) ?? DEFAULT_ENGINE_ROOT]);
}

/**
 * Sets up the engine for a start. An instance whose engine is unavailable still starts and shows the last known state.
 * Only a first start needs the engine, because it fixes the engine permanently.
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
    // For root, tests with a real engine are required. Without root they cannot run, and a note says so.
    if (!(error instanceof NoEngine) || process.getuid?.() === 0) throw error;
    options.steps.note('The tests on a real engine are skipped.');
    return 'none';
  }
}

/**
 * Programs for browser tests. The headless Chromium behaves like the full one, but page tests need a third less
 * processor time.
 */
const BROWSER = { chromium: 'chromium', 'chromium-headless-shell': 'chromium-headless-shell', ip: 'iproute2' };

/** Programs for tests of releases: they set another time, create a minimal Debian, and check a systemd service. */
const LONG_PROGRAMS = {
  faketime: 'faketime',
  mmdebstrap: 'mmdebstrap',
  socat: 'socat',
  'systemd-analyze': 'systemd',
};

/** Programs for benchmarks. One of them installs a signed release on a minimal Debian. */
const BENCH_PROGRAMS = {
  ...{ wrk: 'wrk', docker: 'docker.io', pebble: 'pebble' },
  ...{ mmdebstrap: 'mmdebstrap', gpg: 'gpg', 'gpg-agent': 'gpg-agent', busybox: 'busybox-static' },
};

/**
 * Returns the programs that tests need from the distribution. The engine lists the processes of a container with `ps`.
 * Pushes use Docker's own client and skopeo, certificates use pebble, and disks that lose power use e2fsprogs and
 * xfsprogs. Releases are signed with `gpg`. The browser is large and installed only if tests use it, on networks that
 * `ip` creates. The long tier also builds releases at another time, and installs them on a minimal Debian.
 */
async function testPrograms(isLong) {
  const files = await readdir(join(ROOT, 'test/e2e'), { recursive: true }).catch(() => []);
  const disks = { 'mkfs.ext4': 'e2fsprogs', 'mkfs.xfs': 'xfsprogs' };
  const browser = files.some((file) => file.endsWith('.test.ts')) ? BROWSER : {};
  const releases = {
    gpg: 'gpg',
    'gpg-agent': 'gpg-agent',
    ...(isLong && LONG_PROGRAMS),
  };
  return { ps: 'procps', docker: 'docker.io', skopeo: 'skopeo', pebble: 'pebble', ...disks, ...releases, ...browser };
}

/** Bundles the daemon. A failure is not fatal, because the daemon can also start from its sources. */
async function bundleDaemon(steps) {
  try {
    await steps.run('daemon', () => ensureDaemon(ROOT));
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
    steps.note('The daemon starts from its sources, which takes longer.');
  }
}

/**
 * Sets up the machine.
 * @param {'start' | 'test' | 'long' | 'check' | 'bench' | 'dashboard'} purpose
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
  if (purpose !== 'dashboard') await bundleDaemon(steps);
  if (purpose !== 'check')
    await steps.run('dashboard', () => ensureDashboard(ROOT, { evenOld: flags.includes('--old-dashboard') }));
  if (small) return { engine: 'not asked' };
  const options = { dataDir, dockerHost, steps };
  if (purpose === 'start') return { engine: await engineForStart(options, flags) };
  const engine = await engineForTests(options);
  const programs = purpose === 'bench' ? BENCH_PROGRAMS : await testPrograms(purpose === 'long');
  // Without an engine, the suites that use these programs are skipped.
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
