/**
 * Finds the reason why a PostgreSQL server stopped, in the log of the server. The log contains no error codes, so the
 * function searches for words such as `FATAL`.
 */

const GRAVE = /\b(FATAL|PANIC|ERROR)\b/;

/**
 * Returns the log lines that contain the reason why a PostgreSQL server stopped. Lines after the last error are
 * omitted, because they only describe the shutdown.
 */
export function lastWords(log: string): string {
  const lines = log.trim().split('\n');
  const grave = lines.filter((line) => GRAVE.test(line));
  return (grave.length > 0 ? grave : lines).slice(-3).join(' ');
}
