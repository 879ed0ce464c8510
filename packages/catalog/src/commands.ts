import { mkdirSync } from 'node:fs';
import { ConfigInvalid } from '@davit/service';
import { configFromProcess } from './config/env.ts';
import { databaseFile } from './files.ts';
import { openRecords } from './store/records.ts';
import type { CrawlRecords } from './store/types.ts';

const USAGE = `Commands of the catalog:
  settings                     check the settings
  block <subject> <reason>     hide an owner, or a repository as owner/name, from the list
  unblock <subject>            show a blocked owner or repository in the list again
  blocked                      show blocked owners and repositories
Changes are visible after the next indexing run.`;

/** Maximum number of attempts to open the catalog database. All attempts together take about ten minutes. */
const ATTEMPTS = 120;
const SQLITE_BUSY = 5;

const SUBJECT = /^[A-Za-z0-9-]{1,39}(?:\/[A-Za-z0-9._-]{1,100})?$/;

/**
 * Runs a command of the operator, such as blocking the owner of a Git repository. The catalog server may be running
 * meanwhile.
 * @throws Error with the reason and a solution
 */
export async function runCommand(args: readonly string[], write: (line: string) => void): Promise<void> {
  const flags = args.findIndex((arg) => arg.startsWith('--'));
  const [command = '', ...words] = flags < 0 ? args : args.slice(0, flags);
  const config = configFromProcess(flags < 0 ? [] : args.slice(flags));
  const withRecords = (work: (records: CrawlRecords) => void) => {
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
    patiently(write, () => {
      using records = openRecords(databaseFile(config.dataDir));
      work(records);
    });
  };
  const [subject = '', ...reason] = words;
  switch (command) {
    case 'settings':
      write('The settings are valid.');
      return;
    case 'blocked':
      withRecords((records) => {
        const all = [...records.blocked()].sort();
        write(all.length === 0 ? 'No owner or repository is blocked.' : all.join('\n'));
      });
      return;
    case 'block':
      demandSubject(subject);
      if (reason.length === 0) throw new ConfigInvalid(`The reason is missing. Run: block ${subject} <reason>`);
      withRecords((records) => records.block(subject, reason.join(' ')));
      write(`${subject} is blocked. The next indexing run removes it from the list.`);
      return;
    case 'unblock':
      demandSubject(subject);
      withRecords((records) => records.unblock(subject));
      write(`${subject} is not blocked. The next indexing run lists it if it has a release.`);
      return;
    default:
      throw new ConfigInvalid(`Unknown command “${command}”.\n${USAGE}`);
  }
}

/**
 * Repeats `work` while the indexer locks the catalog database. The indexer can lock the database for minutes when it
 * publishes a new index.
 */
function patiently(write: (line: string) => void, work: () => void): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      work();
      return;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (attempt === ATTEMPTS)
        throw new Error('The indexer is still writing the index. Run the command again later.', { cause: error });
      if (attempt === 1) write('Waiting until the indexer has written the index.');
    }
  }
}

function isBusy(error: unknown): boolean {
  const { errcode, cause } = error as { errcode?: number; cause?: unknown };
  // The lowest byte of `errcode` is SQLite's primary error code. The other bytes only add details.
  if (errcode !== undefined) return (errcode & 0xff) === SQLITE_BUSY;
  return cause !== undefined && isBusy(cause);
}

function demandSubject(subject: string): void {
  if (!SUBJECT.test(subject))
    throw new ConfigInvalid(
      `“${subject}” is not an owner or a repository. Name an owner, or a repository as owner/name.`,
    );
}
