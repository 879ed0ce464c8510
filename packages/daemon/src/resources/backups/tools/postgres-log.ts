/** Reads the log of a PostgreSQL server that has ended. The log has no error codes. */

const GRAVE = /\b(FATAL|PANIC|ERROR)\b/;

/**
 * Returns the log lines with the reason why a PostgreSQL server ended. Lines after the last error only describe the
 * shutdown.
 */
export function lastWords(log: string): string {
  const lines = log.trim().split('\n');
  const grave = lines.filter((line) => GRAVE.test(line));
  return (grave.length > 0 ? grave : lines).slice(-3).join(' ');
}
