/** All texts about safe mode: API errors, the page in the browser, the log and the terminal. */
import type { SafeModeProblem } from '@davit/api';
import type { SafeModeReason } from './reason.ts';

const CAUSES: Record<SafeModeProblem, string> = {
  damaged: 'its database is damaged',
  missing: 'its database is missing',
  'log damaged': 'the write-ahead log of its database is damaged',
  newer: 'a newer version of Davit wrote its database',
  mismatched: 'its database does not have the expected tables',
  unreadable: 'its database cannot be read',
  full: 'its disk is full',
  key: 'its master key is missing or is another key',
};

/** A command for the operator of the server. */
export interface RepairStep {
  what: string;
  command: string | null;
}

const VERIFY: RepairStep = { what: 'Check which files are damaged:', command: 'davit instance verify' };
const EXPORT: RepairStep = {
  what: 'Save all rows that can still be read:',
  command: 'davit instance export rescued.db',
};
const RESTORE: RepairStep = {
  what: 'Replace the database with a copy or with the saved rows. The instance then starts:',
  command: 'davit instance restore-state rescued.db',
};
const RESUME: RepairStep = { what: 'Start the instance:', command: 'davit instance resume' };

const BY_COPY = [VERIFY, EXPORT, RESTORE];

/** Seconds between two attempts to leave safe mode if the disk is full. */
export const RETRY_S = 30;

const STEPS: Record<Exclude<SafeModeProblem, 'newer'>, readonly RepairStep[]> = {
  damaged: BY_COPY,
  missing: [VERIFY, RESTORE],
  'log damaged': BY_COPY,
  mismatched: BY_COPY,
  unreadable: [{ what: 'Check the disk and the permissions of the files.', command: null }, RESUME, ...BY_COPY],
  full: [{ what: `Free some space. Davit tries to start every ${RETRY_S} seconds.`, command: null }],
  key: [{ what: 'Restore the master key from your copy.', command: null }, RESUME],
};

/** Returns the sentence that every API response contains. It is public, so it contains no paths. */
export function sentenceOf({ problem }: SafeModeReason): string {
  return `The instance is in safe mode because ${CAUSES[problem]}: apps keep running, and the operator of the server can repair the instance.`;
}

/** Returns what the operator of the server must do, in order. */
export function stepsOf({ problem, version }: SafeModeReason): readonly RepairStep[] {
  if (problem !== 'newer') return STEPS[problem];
  const wanted = version === null ? 'the newer version of Davit' : `Davit ${version}`;
  return [{ what: `Stop this version, and start ${wanted}.`, command: null }];
}

/** Returns the lines that describe safe mode in the terminal. */
export function safeModeLines(reason: SafeModeReason): string[] {
  const steps = stepsOf(reason).flatMap(({ what, command }) => (command === null ? [what] : [what, `  ${command}`]));
  return [reason.message, ...steps];
}

/** Returns the web page that a browser shows instead of the dashboard. */
export function safeModePage(reason: SafeModeReason): string {
  const steps = stepsOf(reason).map(
    ({ what, command }) => `<li>${what}${command === null ? '' : `<pre>${command}</pre>`}</li>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Safe mode – Davit</title>
<h1>Safe mode</h1>
<p>${sentenceOf(reason)}</p>
<p>Run these commands on the server, as the user who runs Davit:</p>
<ol>${steps.join('')}</ol>
<p>The API does not accept requests. Its <a href="/docs">reference</a> is available.</p>
</html>
`;
}
