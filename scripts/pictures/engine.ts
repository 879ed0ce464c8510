/** Adds realistic behavior to the simulated engine: delays, resource usage, and a shell that responds. */
import type { TestDaemon } from '@davit/testkit';
import { lots, type StoryClock, wave } from './clock.ts';
import { APPS } from './company.ts';
import { commandOf } from './words.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** Average duration of engine calls in milliseconds. */
const TAKES = {
  findRemoteImage: 340,
  pullImage: 5_200,
  createGroup: 460,
  start: 520,
  probe: 310,
  holdImage: 24,
  ensureNetwork: 16,
  publishNames: 38,
} as const;

type Slow = keyof typeof TAKES;

/**
 * Changes the simulated engine. The change takes effect at the next start of the daemon.
 * @param pass function that advances the simulated time by milliseconds
 */
export function dressEngine(daemon: TestDaemon, clock: StoryClock, pass: (ms: number) => Promise<void>): void {
  const { engine } = daemon;
  const chance = lots(7);
  for (const name of Object.keys(TAKES) as Slow[]) {
    const does = engine[name] as (...given: unknown[]) => unknown;
    const slowly = async (...given: unknown[]) => {
      await pass(TAKES[name] * (0.6 + 0.8 * chance()));
      return does(...given);
    };
    Object.assign(engine, { [name]: slowly });
  }
  engine.controls.setDisk({ path: '/var/lib/docker', totalBytes: 160 * GIB, freeBytes: 97 * GIB });
  Object.assign(daemon.registry, { bytesOnDisk: async () => 759_000_000 });
  const sizes = new Map<string, number>();
  Object.assign(engine, {
    kind: 'docker',
    capabilities: { simulated: false, liveLimits: true },
    info: async () => ({ version: '28.5.2', cpus: 4, memoryBytes: 16 * GIB }),
    usage: usageOf(daemon, clock),
    volumeSize: async (name: string) => {
      const size = sizes.get(name) ?? Math.round((0.2 + 3 * chance()) * GIB);
      sizes.set(name, size);
      return size;
    },
    openTerminal: async () => shellOf(),
    runOnce: async (oneOff: { command: string[] }, _: AbortSignal, onLine?: (line: object) => unknown) => {
      const { takes, exitCode, lines } = commandOf(oneOff.command);
      for (const line of lines) {
        await pass(takes / lines.length);
        await onLine?.({ at: new Date(clock.now()), stream: 'stdout', line });
      }
      return { exitCode, output: lines.map((line) => `${line}\n`).join('') };
    },
  });
}

/** Adds an image of some size to the registry. */
export function pushImage({ engine }: TestDaemon, image: string, behaviour: object = {}): void {
  const megabytes = 38 + (Buffer.from(image).reduce((sum, byte) => (sum * 31 + byte) % 997, 7) % 260);
  engine.controls.addImage(image, { where: 'registry', sizeBytes: megabytes * 1_000_000, behaviour });
}

interface Used {
  at: number;
  cpuNs: number;
  receivedBytes: number;
  sentBytes: number;
}

function usageOf({ engine }: TestDaemon, clock: StoryClock) {
  const used = new Map<string, Used>();
  const chance = lots(11);
  return async (ids: readonly string[]) => {
    const now = clock.now();
    const containers = engine.controls.containers().filter(({ id, state }) => ids.includes(id) && state === 'running');
    return new Map(
      containers.map(({ id, app, limits }, nth) => {
        const { uses, asked: requestRate = 0 } = APPS.find(({ reference }) => reference === app) ?? {
          uses: [1, 60] as const,
        };
        const before = used.get(id) ?? { at: now, cpuNs: 0, receivedBytes: 0, sentBytes: 0 };
        const ms = now - before.at;
        const much = wave(now, nth / 3 + uses[1]) * (0.92 + 0.16 * chance());
        const next: Used = {
          at: now,
          cpuNs: before.cpuNs + Math.round(ms * 1e6 * (uses[0] / 100) * much),
          receivedBytes: before.receivedBytes + Math.round(ms * (0.4 + requestRate * 0.42 * much)),
          sentBytes: before.sentBytes + Math.round(ms * (0.3 + requestRate * 1.6 * much)),
        };
        used.set(id, next);
        const memoryBytes = Math.round(uses[1] * MIB * (0.96 + 0.05 * wave(now, nth)));
        return [id, { ...next, at: new Date(now), memoryBytes, memoryLimitBytes: limits.memoryBytes }];
      }),
    );
  };
}

const PROMPT = '\u001b[32mnode@web-2\u001b[0m:\u001b[34m/app\u001b[0m$ ';
const TRANSCRIPT = [
  `${PROMPT}ls`,
  '\u001b[34mdist\u001b[0m  \u001b[34mnode_modules\u001b[0m  package.json  \u001b[34mpublic\u001b[0m  \u001b[32mserver.js\u001b[0m',
  `${PROMPT}node --version`,
  'v26.1.0',
  `${PROMPT}ps -o pid,rss,args`,
  '  PID   RSS COMMAND',
  '    1  151m node server.js',
  '   41  1.9m sh',
  '   52  1.1m ps -o pid,rss,args',
  `${PROMPT}curl -s localhost:8080/healthz`,
  '{"status":"ok","release":"2.15.0","database":"ok","cache":"ok","uptime_s":372}',
  PROMPT,
].join('\r\n');

function shellOf() {
  const { promise: exited, resolve: end } = Promise.withResolvers<number>();
  return {
    output: (async function* () {
      yield Buffer.from(TRANSCRIPT);
      await exited;
    })(),
    exited,
    write: async () => undefined,
    resize: async () => undefined,
    [Symbol.asyncDispose]: async () => end(0),
  };
}
