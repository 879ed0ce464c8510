/** Primary result codes of SQLite for which Davit has its own handling, for example its own error message. */
export const SQLITE = {
  busy: 5,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

/** Returns the primary SQLite result code of an error of `node:sqlite`. Returns `null` for any other error. */
export function sqliteCode(error: unknown): number | null {
  const { errcode } = (error ?? {}) as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : null;
}

/** Returns whether an error or one of its causes reports that a SQLite file is damaged. */
export function isDamage(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    const code = sqliteCode(one);
    if (code === SQLITE.corrupt || code === SQLITE.notADatabase) return true;
  }
  return false;
}
