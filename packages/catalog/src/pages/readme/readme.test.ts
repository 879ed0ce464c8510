import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Readmes } from './readme.ts';

const place = (name: string) => ({ url: 'https://github.com/acme/a', owner: 'acme', name, commit: 'c'.repeat(40) });

/** The renderer needs many seconds for this text, because it searches all open tags again for each tag. */
const ENDLESS = '<b><i>'.repeat(80_000);

describe('READMEs are rendered in a thread of their own', () => {
  const readmes = new Readmes();
  after(() => readmes[Symbol.asyncDispose]());

  it('as HTML, and again as the same', async () => {
    const first = await readmes.render('# Hi', place('a'));
    assert.deepEqual(first, { kind: 'html', html: '<h3 id="readme-hi">Hi</h3>\n' });
    assert.equal(await readmes.render('# Hi', place('a')), first);
  });

  it('each once, however many ask at the same time', async () => {
    const [one, other] = await Promise.all([readmes.render('a', place('b')), readmes.render('a', place('b'))]);
    assert.equal(one, other);
  });

  it('and are shown as they are written when that takes too long, or gives too much', async () => {
    await using hasty = new Readmes({ deadlineMs: 100 });
    assert.deepEqual(await hasty.render(ENDLESS, place('c')), { kind: 'text', text: ENDLESS });
    await using patient = new Readmes({ deadlineMs: 60_000, html: 10 });
    assert.equal((await patient.render('a long one', place('d'))).kind, 'text');
  });

  it('and are shown as they are written when too many wait', async () => {
    await using narrow = new Readmes({ waiting: 1 });
    const [first, second] = await Promise.all([narrow.render('a', place('e')), narrow.render('b', place('f'))]);
    assert.deepEqual([first.kind, second], ['html', { kind: 'text', text: 'b' }]);
  });

  it('while the server answers others', async () => {
    await using own = new Readmes({ deadlineMs: 300 });
    let isDone = false;
    const rendering = own.render(ENDLESS, place('i')).finally(() => {
      isDone = true;
    });
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isDone, false);
    assert.equal((await rendering).kind, 'text');
  });
});
