/** Tests which account the routines of a dump run as after a restore. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { definedBy } from './mysql-definers.ts';

const OTHER = '`root`@`127.0.0.1`';
const ODD = '`it``s@odd`@`10.0.0.1`';
const dump = (one: string, other: string) =>
  [
    'CREATE TABLE `CREATE DEFINER` (a INT);',
    "INSERT INTO `goods` VALUES (1,'\\nCREATE DEFINER=`root`@`127.0.0.1` PROCEDURE `x`()');",
    `/*!50003 CREATE*/ /*!50017 DEFINER=${one}*/ /*!50003 TRIGGER t BEFORE INSERT ON goods FOR EACH ROW SET NEW.a = 1 */;;`,
    'DELIMITER ;;',
    `CREATE DEFINER=${one} PROCEDURE \`p\`()`,
    `BEGIN SELECT 'ü'; END ;;`,
    `CREATE DEFINER=${other} FUNCTION \`f\`() RETURNS int(11) RETURN 1 ;;`,
    `/*!50106 CREATE*/ /*!50117 DEFINER=${other}*/ /*!50106 EVENT \`e\` ON SCHEDULE EVERY 1 DAY DO DELETE FROM x */ ;;`,
    'DELIMITER ;',
    '/*!50001 CREATE ALGORITHM=UNDEFINED */',
    `/*!50013 DEFINER=${one} SQL SECURITY INVOKER */`,
    '/*!50001 VIEW `v` AS select 1 */;',
    `/*!50013 DEFINER=${other} SQL SECURITY DEFINER */`,
  ].join('\n');

describe('definers in a MariaDB dump', () => {
  for (const bytes of [1, 5, 64, 100_000])
    it(`are replaced by the restoring account in pieces of ${bytes} bytes`, async () => {
      const whole = Buffer.from(dump(OTHER, ODD));
      async function* pieces() {
        for (let at = 0; at < whole.length; at += bytes) yield whole.subarray(at, at + bytes);
      }

      const read = Buffer.concat(await Array.fromAsync(definedBy('app', pieces()))).toString();

      assert.equal(read, dump('`app`@`%`', '`app`@`%`'));
    });

  it('are replaced without changing rows of any length and content', async () => {
    const row = Buffer.concat([
      Buffer.from('INSERT INTO `g` VALUES ('),
      Buffer.alloc(200_000, 0xff),
      Buffer.from(');\n'),
    ]);
    async function* pieces() {
      for (let at = 0; at < row.length; at += 1_000) yield row.subarray(at, at + 1_000);
    }

    assert.ok(Buffer.concat(await Array.fromAsync(definedBy('app', pieces()))).equals(row));
  });
});
