/**
 * Changes the definer of objects in a MySQL dump to the database user of the app. The definer is the owner of an
 * object, and MySQL allows this user to restore only its own objects.
 */
const NEWLINE = 10;
/**
 * Number of bytes at the start of each line in which Davit searches for a definer. The definer is the account that owns
 * a view or routine.
 */
const LONGEST = 1_024;

const ACCOUNT = '`(?:[^`]|``)*`@`(?:[^`]|``)*`';
/**
 * Patterns for the lines in which `mysqldump` writes a definer. The definer is the owner of a routine, trigger, event
 * or view.
 */
const DEFINED = new RegExp(
  [
    `^(CREATE (?:OR REPLACE )?DEFINER=)${ACCOUNT}(?= (?:PROCEDURE|FUNCTION|PACKAGE|AGGREGATE) )`,
    `^(/\\*!50003 CREATE\\*/ /\\*!50017 DEFINER=)${ACCOUNT}(?=\\*/ /\\*!50003 TRIGGER )`,
    `^(/\\*!50106 CREATE\\*/ /\\*!50117 DEFINER=)${ACCOUNT}(?=\\*/ /\\*!50106 EVENT )`,
    `^(/\\*!50013 DEFINER=)${ACCOUNT}(?= SQL SECURITY (?:DEFINER|INVOKER) \\*/)`,
  ].join('|'),
);

/**
 * Changes the definer (owner) of each view, routine, trigger and event in a MySQL dump.
 * @param username name of an account that may connect from all hosts
 */
export async function* definedBy(username: string, dump: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const account = `\`${username.replaceAll('`', '``')}\`@\`%\``;
  /*
   * Start of the current line of the dump, which may contain a `DEFINER` clause. After the search for this clause, the
   * value is `null`, and the rest of the line is copied unchanged.
   */
  let line: Buffer | null = Buffer.alloc(0);
  for await (const piece of dump) {
    const chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    let at = 0;
    while (at < chunk.length) {
      const end = chunk.indexOf(NEWLINE, at);
      const until = end < 0 ? chunk.length : end + 1;
      const part = chunk.subarray(at, until);
      at = until;
      if (line === null) yield part;
      else if (end < 0 && line.length + part.length <= LONGEST) line = Buffer.concat([line, part]);
      else {
        /*
         * Values of rows are never changed, because a value cannot start a line. The dump contains line breaks of
         * values as `\n`.
         */
        yield replaced(Buffer.concat([line, part]), account);
        line = null;
      }
      if (end >= 0) line = Buffer.alloc(0);
    }
  }
  if (line !== null && line.length > 0) yield replaced(line, account);
}

/**
 * Replaces the definer (owner) of an object in one line of the dump. The function works with bytes, because the
 * character set of the line is unknown.
 */
function replaced(line: Buffer, account: string): Buffer {
  if (!isCandidate(line)) return line;
  const text = line.toString('latin1');
  const [whole = '', ...words] = DEFINED.exec(text) ?? [];
  const word = words.find((one) => one !== undefined);
  if (word === undefined) return line;
  return Buffer.concat([Buffer.from(word), Buffer.from(account), line.subarray(Buffer.byteLength(whole, 'latin1'))]);
}

const BEGINNINGS = ['CREATE ', '/*!50'].map((text) => Buffer.from(text));

function isCandidate(line: Buffer): boolean {
  return BEGINNINGS.some((text) => line.subarray(0, text.length).equals(text));
}
