import { once } from 'node:events';
import { createCatalog } from './catalog.ts';
import { runCommand } from './commands.ts';
import { configFromProcess } from './config/env.ts';
import { createReport } from './report.ts';

/** Time in milliseconds after which a stopping catalog server exits, even if an operation hangs. */
const LAST_RESORT_MS = 4_500;

let isStopping = false;
const args = process.argv.slice(2);
const report = createReport(process.send === undefined ? undefined : (message) => void process.send?.(message), print);
try {
  const [command = ''] = args;
  if (command !== '' && !command.startsWith('-')) await runCommand(args, print);
  else await serve();
} catch (error) {
  report.failed((error as Error).message);
  process.exitCode = 1;
}
if (process.exitCode !== undefined) hangUp();

async function serve(): Promise<void> {
  /*
   * The server stops when the IPC channel closes. Otherwise, the server would keep running after a crash of its parent
   * process.
   */
  const alone = once(process, 'disconnect');
  const catalog = await createCatalog(configFromProcess(args));
  /*
   * The signal handlers must be set before the ready message, because the parent process may stop the server
   * immediately after this message.
   */
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop(catalog));
  void alone.then(() => stop(catalog));
  report.ready(catalog);
}

function stop(catalog: AsyncDisposable): void {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(1), LAST_RESORT_MS).unref();
  void catalog[Symbol.asyncDispose]().then(hangUp);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Closes the IPC channel to the parent process. An open channel would prevent this process from exiting. */
function hangUp(): void {
  if (process.connected) process.disconnect?.();
}
