/** What a postgres server wrote before it ended: it has no codes. */

const GRAVE = /\b(FATAL|PANIC|ERROR)\b/;

/** Why it ended; what it says behind that is about its ending. */
export function lastWords(log: string): string {
  const lines = log.trim().split('\n');
  const grave = lines.filter((line) => GRAVE.test(line));
  return (grave.length > 0 ? grave : lines).slice(-3).join(' ');
}
