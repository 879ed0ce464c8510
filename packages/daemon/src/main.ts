import { text } from 'node:stream/consumers';
import { createReport } from './composition/report.ts';
import { configFromProcess, isReadinessAwaited } from './config/env.ts';
import { notifyReady } from './notify-ready.ts';
import { startInstance } from './run.ts';

/**
 * Maximum duration of the daemon's shutdown in milliseconds. After this time, the process exits even if a call has not
 * returned. systemd or another supervisor waits for the exit.
 */
const LAST_RESORT_MS = 20_000;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const report = createReport(
  process.send === undefined ? undefined : (message) => void process.send?.(message),
  (line) => console.error(line),
);
const [action = '-', ...args] = process.argv.slice(2);
if (action.startsWith('-')) await start();
else await act();

async function start(): Promise<void> {
  try {
    await startInstance(configFromProcess(), {
      ...report,
      /*
       * The signal handlers are set before everything else. A supervisor may stop the daemon as soon as the daemon is
       * ready.
       */
      ready(daemon, config) {
        stopOnSignal(daemon);
        report.ready(daemon, config);
        if (isReadinessAwaited()) notifyReady(report.note);
      },
      safeMode(mode) {
        stopOnSignal(mode);
        report.safeMode(mode);
      },
      safeModeEnded() {
        for (const signal of SIGNALS) process.removeAllListeners(signal);
        report.safeModeEnded();
      },
      // The exit code distinguishes this end from an orderly stop.
      failed(message) {
        report.failed(message);
        process.exitCode = 1;
      },
    });
  } catch (error) {
    report.failed((error as Error).message);
    process.exitCode = 1;
  }
  if (process.exitCode !== undefined) hangUp();
}

/** Runs an action such as `uninstall` instead of the daemon. */
async function act(): Promise<void> {
  const { runAction } = await import('./offline/actions.ts');
  const write = (line: string) => void process.stdout.write(`${line}\n`);
  process.exitCode = await runAction(action, args, { write, input: () => text(process.stdin) });
}

function stopOnSignal(running: AsyncDisposable): void {
  for (const signal of SIGNALS) process.once(signal, () => stop(running));
}

function stop(daemon: AsyncDisposable): void {
  setTimeout(() => process.exit(1), LAST_RESORT_MS).unref();
  void daemon[Symbol.asyncDispose]().then(hangUp);
}

/**
 * Closes the IPC channel to the parent process. An open channel would prevent the process of the daemon from exiting.
 */
function hangUp(): void {
  if (process.connected) process.disconnect?.();
}
