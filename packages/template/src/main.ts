/** Entry point of the command `davit-template`. */
import { runCommand } from './command/run.ts';
import type { ReportPaint, ReportStyle } from './report/index.ts';

const CODES: Record<ReportStyle, [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

const paint: ReportPaint = (text, style) => {
  if (style === undefined || !process.stdout.isTTY || !process.stdout.hasColors()) return text;
  const [on, off] = CODES[style];
  return `\u001b[${on}m${text}\u001b[${off}m`;
};

// The command requires an abort signal. This signal is never aborted, because Ctrl+C ends the whole process.
const io = { cwd: process.cwd(), stdin: process.stdin, fetch: globalThis.fetch, signal: new AbortController().signal };
const { stdout, stderr } = process;
process.exitCode = await runCommand(process.argv.slice(2), io, {
  stdout: (text) => stdout.write(text),
  stderr: (text) => stderr.write(text),
  paint,
  width: stdout.isTTY ? stdout.columns || null : null,
});
