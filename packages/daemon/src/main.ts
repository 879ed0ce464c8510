import { createReport } from './composition/report.ts';
import { configFromProcess } from './config/env.ts';
import { startInstance } from './run.ts';

/**
 * Maximum duration of a stop in milliseconds. After this time the process exits, because a hung call must not block a
 * supervisor.
 */
const LAST_RESORT_MS = 20_000;

const report = createReport(
  process.send === undefined ? undefined : (message) => void process.send?.(message),
  (line) => console.error(line),
);
try {
  await startInstance(configFromProcess(), {
    ...report,
    // The handlers are set before the report, because the supervisor may stop a ready daemon at once.
    ready(daemon, config) {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop(daemon));
      report.ready(daemon, config);
    },
  });
} catch (error) {
  report.failed((error as Error).message);
  process.exitCode = 1;
}
if (process.exitCode !== undefined) hangUp();

function stop(daemon: AsyncDisposable): void {
  setTimeout(() => process.exit(1), LAST_RESORT_MS).unref();
  void daemon[Symbol.asyncDispose]().then(hangUp);
}

/** Disconnects from the parent process, because an open channel would keep the process alive. */
function hangUp(): void {
  if (process.connected) process.disconnect?.();
}
