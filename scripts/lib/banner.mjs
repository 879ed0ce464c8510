import { formatDuration } from './steps.mjs';

/**
 * Returns the text that is shown when the instance runs: all addresses and the next steps.
 * @param {{ api: string, setupToken: string | null, firstRun?: boolean, dataDir: string, engine: { kind: string,
 * simulated: boolean } }} ready
 * @param {{ exampleUrl: string | null, catalogUrl?: string | null, recoveryKey?: string | null, logFile: string, ms:
 * number }} more `ms`: time since the start of the command. `recoveryKey`: new recovery key, or null if none was created
 * @returns {string[]} lines
 */
export function bannerLines(
  { api, setupToken, firstRun = false, engine },
  { exampleUrl, catalogUrl = null, recoveryKey = null, logFile, ms },
) {
  // Browsers never send the part of a URL after `#`, and the page removes the token from the address.
  const claim = setupToken === null ? '' : `/claim#token=${encodeURIComponent(setupToken)}`;
  const rows = [['Dashboard', `${api}${claim}${claim === '' ? '' : '   (creates the first user)'}`]];
  rows.push(['API', api], ['Documentation', `${api}/docs`]);
  if (setupToken === null) rows.push(['Command line', `npx davit login ${api}`]);
  else {
    rows.push(['Setup token', setupToken]);
    rows.push(['Command line', `npx davit login ${api}   (prompts for the setup token)`]);
  }
  if (recoveryKey !== null)
    rows.push(['Recovery key', `${recoveryKey}   (shown only now: store it outside the server)`]);
  else if (firstRun) rows.push(['Recovery key', 'create it with: npx davit instance recovery-key']);
  if (exampleUrl !== null) rows.push(['Example app', exampleUrl]);
  if (catalogUrl !== null) rows.push(['Templates', `${catalogUrl}   (example templates)`]);
  if (engine.simulated) rows.push(['Engine', 'simulated: no containers run, and apps do not respond']);
  rows.push(['Log', logFile]);
  const width = Math.max(...rows.map(([name]) => name.length)) + 3;
  return [
    '',
    `  Davit is up after ${formatDuration(ms)}.`,
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}${value}`),
    '',
    engine.simulated
      ? '  Ctrl-C stops the instance.'
      : '  Ctrl-C stops the instance. Apps and the proxy keep running, and "npm start" uses them again.',
    '',
  ];
}

/**
 * Returns the text that is shown when the instance runs in safe mode.
 * @param {{ api: string, lines: string[] }} mode `lines`: what happened and what to do
 * @param {string} logFile
 * @returns {string[]} lines
 */
export function safeModeLines({ api, lines }, logFile) {
  return [
    '',
    `  Davit runs in safe mode at ${api}. Apps and the proxy keep running.`,
    '',
    ...lines.map((line) => `  ${line}`),
    '',
    `  The log is ${logFile}. Ctrl-C stops safe mode.`,
    '',
  ];
}

/** Returns the URL of a host. */
export function urlOf(host, port) {
  return `http://${host}${port === 80 ? '' : `:${port}`}/`;
}
