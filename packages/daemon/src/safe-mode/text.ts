/** All texts about safe mode: API errors, the page in the browser, the log and the terminal. */
import { createHash } from 'node:crypto';
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
  key: 'its master key is missing or does not match the database',
};

/** A command for the operator of the server. */
export interface RepairStep {
  what: string;
  command: string | null;
}

const VERIFY: RepairStep = { what: 'Find the damaged files:', command: 'davit instance verify' };
const EXPORT: RepairStep = {
  what: 'Save the readable rows of the database to the file rescued.db:',
  command: 'davit instance export rescued.db',
};
const RESTORE: RepairStep = {
  what: 'Replace the database with the file rescued.db, or with your own copy. The instance then starts:',
  command: 'davit instance restore-state rescued.db',
};
const RESTORE_COPY: RepairStep = {
  what: 'Restore your copy of the database. The instance then starts:',
  command: 'davit instance restore-state copy-of-davit.db',
};
const RESTORE_KEY: RepairStep = {
  what: 'Copy your backup of the file master.key into the data directory, or use the recovery key:',
  command: 'davit instance recover-key',
};
const RESUME: RepairStep = { what: 'Start the instance:', command: 'davit instance resume' };

const BY_COPY = [VERIFY, EXPORT, RESTORE];
const IF_STILL_UNREADABLE = { ...VERIFY, what: 'If the instance does not start, find the damaged files:' };

/** Seconds between two attempts to leave safe mode if the disk is full. */
export const RETRY_S = 30;

const STEPS: Record<Exclude<SafeModeProblem, 'newer'>, readonly RepairStep[]> = {
  damaged: BY_COPY,
  missing: [VERIFY, RESTORE_COPY],
  'log damaged': BY_COPY,
  mismatched: BY_COPY,
  unreadable: [
    { what: 'Check the disk and the permissions of the database files.', command: null },
    RESUME,
    IF_STILL_UNREADABLE,
    EXPORT,
    RESTORE,
  ],
  full: [{ what: `Free some space on the disk. Davit tries to start again every ${RETRY_S} seconds.`, command: null }],
  key: [RESTORE_KEY, RESUME],
};

/** Returns the text that every API response contains. It is public, so it contains no paths. */
export function sentenceOf({ problem }: SafeModeReason): string {
  return `The instance is in safe mode because ${CAUSES[problem]}. Apps keep running. The operator of the server can repair the instance.`;
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

/** Styles of the web page. They follow the color scheme of the browser. Long commands wrap on a phone. */
const STYLE = `:root{color-scheme:light dark}
body{max-width:40rem;margin:3rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}
ol{padding-left:1.5rem}
li{margin:.75rem 0}
pre{margin:.25rem 0;padding:.5rem .75rem;white-space:pre-wrap;border-radius:.375rem;background:#8883;font-size:.875rem}
`;

/** Content security policy of the web page. It allows only the styles of the page. */
export const SAFE_MODE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'`;

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
<style>${STYLE}</style>
<h1>Safe mode</h1>
<p>${sentenceOf(reason)}</p>
<p>To repair the instance, do this on the server, as the user that runs Davit:</p>
<ol>${steps.join('')}</ol>
<p>Until the instance starts, the API refuses all requests. You can still read the <a href="/docs">API reference</a>.</p>
</html>
`;
}
