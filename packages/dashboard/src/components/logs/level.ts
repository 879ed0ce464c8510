/** Detects the severity level in a log line. */
export const LEVELS = ['error', 'warn', 'info', 'debug', 'other'] as const;
export type Level = (typeof LEVELS)[number];

const WORDS: Record<string, Level> = {
  fatal: 'error',
  critical: 'error',
  crit: 'error',
  panic: 'error',
  emerg: 'error',
  emergency: 'error',
  alert: 'error',
  severe: 'error',
  error: 'error',
  err: 'error',
  warning: 'warn',
  warn: 'warn',
  notice: 'info',
  information: 'info',
  info: 'info',
  log: 'info',
  debug: 'debug',
  trace: 'debug',
  verbose: 'debug',
  fine: 'debug',
};

/**
 * Number of characters at the start of a log line in which a severity level is searched. After these characters, a word
 * such as `error` usually does not mean the severity level.
 */
const LOOKED_AT = 400;

const JSON_LEVEL = /"(?:level|severity|lvl|levelname|log\.level|loglevel)"\s*:\s*(?:"([a-z]+)"|(\d{1,3}))/i;
const LOGFMT_LEVEL = /(?:^|\s)(?:level|severity|lvl|loglevel)="?([a-z]+)/i;
/** Matches a severity level in a log line. The level is in capitals, in brackets, or the first word before a colon. */
const CAPITALS =
  /(?:^|[^A-Za-z0-9_])(FATAL|CRITICAL|CRIT|PANIC|EMERG|ALERT|SEVERE|ERROR|ERR|WARNING|WARN|NOTICE|INFO|DEBUG|TRACE)(?![A-Za-z0-9_])/;
const BRACKETS = /[[(<]\s*([a-z]{3,9})\s*[\])>]/i;
const FIRST_WORD = /^([a-z]{3,9})\s?:/i;
/**
 * Matches a log prefix such as `E0102 15:04:05.000000`. The prefix comes from klog, the logging library of Kubernetes.
 */
const KLOG = /^([EWIFD])\d{4} /;
const KLOG_LEVELS: Record<string, Level> = { E: 'error', F: 'error', W: 'warn', I: 'info', D: 'debug' };
// biome-ignore lint/suspicious/noControlCharactersInRegex: color sequences begin with the character ESC
const RENDITION = /\u001b\[[\d;:]*m/g;

/**
 * Returns the severity level that a log line contains, or `other`. The stream of the line does not matter, because most
 * programs also write normal messages to stderr.
 */
export function levelOf(line: string): Level {
  const cut = line.length > LOOKED_AT ? line.slice(0, LOOKED_AT) : line;
  const head = (cut.includes('\u001b') ? cut.replace(RENDITION, '') : cut).trimStart();
  return (head.startsWith('{') ? jsonLevel(head) : saidLevel(head)) ?? 'other';
}

function jsonLevel(head: string): Level | null {
  const [, word, number] = JSON_LEVEL.exec(head) ?? [];
  if (word !== undefined) return WORDS[word.toLowerCase()] ?? null;
  return number === undefined ? null : numbered(Number(number));
}

/**
 * Converts a numeric severity level to a level name. The loggers Pino and Bunyan use 10 to 60, and syslog uses 0 to 7.
 */
function numbered(level: number): Level {
  if (level < 10) return level <= 3 ? 'error' : level === 4 ? 'warn' : level <= 6 ? 'info' : 'debug';
  return level >= 50 ? 'error' : level >= 40 ? 'warn' : level >= 30 ? 'info' : 'debug';
}

function saidLevel(head: string): Level | null {
  const said = LOGFMT_LEVEL.exec(head)?.[1] ?? CAPITALS.exec(head.slice(0, 120))?.[1];
  if (said !== undefined) return WORDS[said.toLowerCase()] ?? null;
  const klog = KLOG.exec(head)?.[1];
  if (klog !== undefined) return KLOG_LEVELS[klog] ?? null;
  const word = FIRST_WORD.exec(head)?.[1] ?? BRACKETS.exec(head.slice(0, 120))?.[1];
  return word === undefined ? null : (WORDS[word.toLowerCase()] ?? null);
}
