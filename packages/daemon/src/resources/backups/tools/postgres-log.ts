/**
 * Finds the error in the log of a PostgreSQL server that has stopped. The log contains no error codes, so the search
 * uses words such as `FATAL`.
 */

const GRAVE = /\b(FATAL|PANIC|ERROR)\b/;

/**
 * Returns the log lines that show why a PostgreSQL server stopped. Lines after the last error only describe the
 * shutdown.
 */
export function lastWords(log: string): string {
  const lines = log.trim().split('\n');
  const grave = lines.filter((line) => GRAVE.test(line));
  return (grave.length > 0 ? grave : lines).slice(-3).join(' ');
}
