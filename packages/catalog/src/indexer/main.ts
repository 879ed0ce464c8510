/**
 * Entry point of the indexer, a child process of the catalog server. Only the indexer writes the template index. The
 * first message from the server contains the configuration.
 */
import { createLogger, DataDirTaken, type Logger, lockDataDir } from '@davit/service';
import type { CatalogConfig } from '../config/config.ts';
import { createIconEncoder } from '../icons/icon-encoder.ts';
import { DirectorySource } from '../source/directory/directory-source.ts';
import { createGitHubSource } from '../source/github/github.ts';
import type { TemplateSource } from '../source/source.ts';
import { openRecords } from '../store/records.ts';
import { createIndexer } from './indexer.ts';
import { runPasses } from './loop.ts';
import type { IndexerCommand, IndexerMessage } from './messages.ts';

/**
 * Time in milliseconds after which a stopping indexer process exits, even if an operation hangs. The catalog server
 * waits for the indexer to exit.
 */
const LAST_RESORT_MS = 4_500;

const stopping = new AbortController();

process.on('message', (command: IndexerCommand) => {
  if (command.kind === 'stop') stop();
  else void work(command.config, command.database);
});
process.once('disconnect', stop);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);

async function work(config: CatalogConfig, database: string): Promise<void> {
  const log = createLogger({ level: config.logLevel }).child({ process: 'indexer' });
  try {
    using parts = new DisposableStack();
    parts.use(lockDataDir(config.dataDir, 'indexer'));
    const records = parts.use(openRecords(database));
    const source = chooseSource(config, log, parts);
    const icons = parts.use(createIconEncoder());
    const indexer = createIndexer({ config, source, records, icons, log });
    const { intervalS } = config;
    await runPasses({
      indexer,
      intervalS,
      signal: stopping.signal,
      onPass: (outcome) => void sendMessage({ kind: 'pass', ...outcome }),
    });
  } catch (error) {
    const { name, message } = error as Error;
    const isRefusal = error instanceof DataDirTaken || name === 'DatabaseUnusable';
    log.error({ error }, isRefusal ? 'indexer cannot start' : 'indexer ended with an internal error');
    if (isRefusal) await sendMessage({ kind: 'refused', reason: message });
    process.exitCode = 1;
  }
  stop();
}

function chooseSource({ source, topics }: CatalogConfig, log: Logger, parts: DisposableStack): TemplateSource {
  if (source.kind === 'dir') return parts.use(new DirectorySource({ path: source.path, log }));
  return createGitHubSource({ baseUrl: source.baseUrl, token: source.token, topics, log });
}

/**
 * Sends a message to the catalog server and waits until it is sent. Drops the message if the IPC channel is closed,
 * because the server has then exited.
 */
async function sendMessage(message: IndexerMessage): Promise<void> {
  if (!process.connected) return;
  await new Promise((resolve) => process.send?.(message, resolve));
}

function stop(): void {
  if (stopping.signal.aborted) return;
  stopping.abort(new Error('stopping'));
  setTimeout(() => process.exit(1), LAST_RESORT_MS).unref();
  // Closes the IPC channel to the catalog server. An open channel would prevent this process from exiting.
  if (process.connected) process.disconnect?.();
}
