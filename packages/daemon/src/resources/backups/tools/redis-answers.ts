/** What redis-cli prints: it ends well whatever the server answered, and has no codes. */

export type RedisRefusal = 'saving' | 'refused';

/** What a server says while it saves, or writes its log anew, for itself. */
const SAVING = /already in progress|child process is active|rewriting in progress/i;
const REFUSED = /^(BUSY|ERR|NOPERM|MISCONF|LOADING|READONLY) .*$/m;

/** @returns `null` when nothing was refused */
export function refusalIn(answer: string): { code: RedisRefusal; words: string } | null {
  const words = REFUSED.exec(answer)?.[0].trim();
  if (words === undefined) return null;
  return { code: SAVING.test(words) ? 'saving' : 'refused', words };
}

/** The first answer is to the login. */
export function isLetIn(answer: string): boolean {
  return answer.startsWith('OK');
}

export function hasBegunSaving(answer: string): boolean {
  return answer.includes('Background saving started');
}
