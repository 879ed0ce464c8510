/** Selects the user names of the logins that a password rotation creates. */

const LONGEST = 32;

/**
 * Number of user names that password rotations of a database use in turn. The number is high, because a user name can
 * be used again only after all old sign-ins have ended.
 */
const LAST = 12;
const SUFFIX = /^(.+)_([2-9]|1[0-2])$/;

/**
 * Returns the user name of the next database login.
 * @param reserved regular expression for user names that the database engine reserves
 */
export function nextUsername(current: string, onlyUser: string | undefined, reserved: RegExp): string {
  /*
   * A database engine such as Redis has only one user. In this case, a password rotation changes only the password and
   * not the user name.
   */
  if (onlyUser !== undefined) return current;
  const { base, number } = partsOf(current);
  if (number === LAST && !reserved.test(base)) return base;
  return named(base, number === LAST ? 2 : number + 1);
}

/**
 * Returns the user names that password rotations use for one database, for example `shop`, `shop_2` and `shop_3`. The
 * current user name is not included.
 */
export function otherUsernames(current: string, reserved: RegExp): string[] {
  const { base } = partsOf(current);
  const suffixed = Array.from({ length: LAST - 1 }, (_, n) => named(base, n + 2));
  return [base, ...suffixed].filter((name) => name !== current && !reserved.test(name));
}

/** Splits the user name of a login into a base name and a number. For example, `shop_3` becomes `shop` and 3. */
function partsOf(username: string): { base: string; number: number } {
  const [, base = username, suffix] = SUFFIX.exec(username) ?? [];
  return { base, number: suffix === undefined ? 1 : Number(suffix) };
}

function named(base: string, number: number): string {
  const suffix = `_${number}`;
  return `${base.slice(0, LONGEST - suffix.length)}${suffix}`;
}
