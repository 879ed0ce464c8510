/** Tests views that a MariaDB dump cannot contain. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createViews, leftOutViews } from './mysql-views.ts';
import { ToolFailed } from './program.ts';

const hex = (text: string) => Buffer.from(text).toString('hex').toUpperCase();
const ODD = "it's `odd\\\nü";
const row = (name: string) => `${hex(name)}\t${hex(`CREATE VIEW ${name}`)}\tutf8mb4_general_ci\n`;
const view = (name: string) => ({ name, create: `CREATE VIEW ${name}`, collation: 'utf8mb4_general_ci' });

/** Returns a client of a server on which some views cannot be read, and records its statements. */
function served(views: readonly string[], invalid: readonly string[], users: readonly string[] = []) {
  const ran: { text: string; options: readonly string[] }[] = [];
  const query = async (text: string, options: readonly string[] = []) => {
    ran.push({ text, options });
    if (text.includes('information_schema.tables')) return views.map((name) => `${hex(name)}\n`).join('');
    if (text.includes('information_schema.views')) return [...invalid, ...users].map(row).join('');
    const checked = views.filter((name) => text.includes(`SELECT '${hex(name)}'`));
    return checked
      .map((name) => (invalid.includes(name) ? `${hex(name)}\t1\n` : `id\tint\t\t\t\t\n${hex(name)}\t0\n`))
      .join('');
  };
  return { ask: query, ran };
}

describe('views omitted from a MariaDB dump', () => {
  it('include views with unreadable columns, even with unusual names', async () => {
    const { ask: query, ran } = served(['good', ODD], [ODD]);

    const found = await leftOutViews(query);

    assert.deepEqual(found, [view(ODD)]);
    const [, check, definitions] = ran;
    assert.match(check?.text ?? '', /^SHOW FIELDS FROM `it's ``odd\\\nü`;$/m);
    assert.deepEqual(check?.options, ['--force']);
    assert.ok(definitions?.text.includes("LOWER('it''s `odd\\\\\nü')"));
    assert.ok(definitions?.text.includes("'`it''s ``odd\\\\\nü`'"));
  });

  it('are an empty list if all views can be read', async () => {
    assert.deepEqual(await leftOutViews(served(['good'], []).ask), []);
    assert.deepEqual(await leftOutViews(served([], []).ask), []);
  });

  it('include views that use an unreadable view', async () => {
    const { ask: query, ran } = served(['bad', 'onto'], ['bad'], ['onto']);

    assert.deepEqual(await leftOutViews(query), [view('bad'), view('onto')]);
    assert.match(ran.at(-1)?.text ?? '', /`bad`[\s\S]*`onto`/);
  });

  it('are found with three queries for 120 views', async () => {
    const names = Array.from({ length: 120 }, (_, n) => `view ${n}`);
    const { ask: query, ran } = served(names, ['view 0', 'view 119']);

    assert.deepEqual(await leftOutViews(query), [view('view 0'), view('view 119')]);
    assert.equal(ran.filter(({ text }) => text.startsWith('SHOW FIELDS')).length, 3);
  });

  it('are created after a restore in any order, except invalid views', async () => {
    const made: string[] = [];
    const warned: string[] = [];
    const run = async (text: string) => {
      if (text.includes('VIEW bad') || (text.includes('VIEW onto') && made.length === 0))
        throw new ToolFailed('its table does not exist');
      made.push(text);
    };

    await createViews(['onto', 'bad', 'base'].map(view), run, (line) => warned.push(line));

    const set = "SET SESSION sql_mode = '', collation_connection = utf8mb4_general_ci;";
    assert.deepEqual(made, [`${set}\nCREATE VIEW base;\n`, `${set}\nCREATE VIEW onto;\n`]);
    assert.deepEqual(warned, ['The view bad could not be created: its table does not exist.']);
  });
});
