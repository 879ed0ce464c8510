import { createReport } from './composition/report.ts';
import { configFromProcess } from './config/env.ts';
import { startInstance } from './run.ts';

/** How long a stop may take before the process ends itself: a hung call must not keep a supervisor waiting. */
const LAST_RESORT_MS = 20_000;

const report = createReport(
  process.send === undefined ? undefined : (message) => void process.send?.(message),
  (line) => console.error(line),
);
try {
  await startInstance(configFromProcess(), {
    ...report,
    // Before it is told: who knows that it is ready may ask it to stop at once.
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

/** Lets go of the parent: an open channel would keep the process alive. */
function hangUp(): void {
  if (process.connected) process.disconnect?.();
}
