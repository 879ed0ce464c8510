/** Runs the start of an instance in the test process, with a simulated engine. Safe mode is part of the start. */
import { join } from 'node:path';
import { type Answer, type Sending, send } from '@davit/testkit';
import type { Daemon } from '../../src/composition/daemon.ts';
import type { SafeMode } from '../../src/composition/report.ts';
import { type Config, makeConfig } from '../../src/config/config.ts';
import { startInstance } from '../../src/run.ts';

export function configAt(dataDir: string): Config {
  const ports = { listen: '127.0.0.1:0', httpPort: '0', httpsPort: '0', registryPort: '0' };
  const raw = { engine: 'memory', domain: 'davit.test', logLevel: 'error', setupToken: 'let-me-in', ...ports, dataDir };
  return makeConfig(raw, { isRoot: false, xdgDataHome: undefined });
}

type Stage = { daemon: Daemon } | { safeMode: SafeMode };

/** Instance that starts, or that runs in safe mode. When the object is disposed, the instance stops. */
export class StartedInstance implements AsyncDisposable {
  readonly dataDir: string;
  /** Resolves when the start has ended. In safe mode, this is when the instance was repaired or stopped. */
  readonly ended: Promise<void>;
  readonly #stages: Stage[] = [];
  #onStage: () => void = () => undefined;
  #running: AsyncDisposable | null = null;

  constructor(dataDir: string, config: Config = configAt(dataDir)) {
    this.dataDir = dataDir;
    this.ended = startInstance(config, {
      step: (_, work) => work(),
      note: () => undefined,
      running: () => undefined,
      failed: () => undefined,
      safeModeEnded: () => undefined,
      ready: (daemon) => this.#reach({ daemon }, daemon),
      safeMode: (safeMode) => this.#reach({ safeMode }, safeMode),
    });
    // The error is passed to a test that waits for the next stage.
    this.ended.catch(() => this.#onStage());
  }

  /** Resolves when the instance is ready. */
  async ready(): Promise<Daemon> {
    const stage = await this.next();
    if ('daemon' in stage) return stage.daemon;
    throw new Error(`the instance is in safe mode: ${stage.safeMode.lines.join(' ')}`);
  }

  /** Resolves when the instance is in safe mode. */
  async safeMode(): Promise<SafeMode> {
    const stage = await this.next();
    if ('safeMode' in stage) return stage.safeMode;
    throw new Error('the instance is not in safe mode');
  }

  /** Sends a request through the Unix socket. */
  sendLocally(sending: Sending): Promise<Answer> {
    return send({ socketPath: join(this.dataDir, 'davit.sock') }, sending);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running?.[Symbol.asyncDispose]();
    await this.ended.catch(() => undefined);
  }

  #reach(stage: Stage, running: AsyncDisposable): void {
    this.#running = running;
    this.#stages.push(stage);
    this.#onStage();
  }

  /** Resolves when the instance is ready or in safe mode. */
  async next(): Promise<Stage> {
    const reached = Promise.withResolvers<void>();
    this.#onStage = reached.resolve;
    if (this.#stages.length === 0) await Promise.race([reached.promise, this.ended]);
    const stage = this.#stages.shift();
    if (stage !== undefined) return stage;
    await this.ended;
    throw new Error('the start ended before the instance was ready');
  }
}
