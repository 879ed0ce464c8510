/** Log of a PostgreSQL server before its end. The log has no error codes. */

const GRAVE = /\b(FATAL|PANIC|ERROR)\b/;

/** Returns the reason why the server ended. Lines after the last serious line only describe the shutdown. */
export function lastWords(log: string): string {
  const lines = log.trim().split('\n');
  const grave = lines.filter((line) => GRAVE.test(line));
  return (grave.length > 0 ? grave : lines).slice(-3).join(' ');
}
