import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Readmes } from './readme.ts';

const locationOf = (name: string) => ({
  url: 'https://github.com/acme/a',
  owner: 'acme',
  name,
  commit: 'c'.repeat(40),
});

/** Text that takes many seconds to render, because the renderer searches all open tags again for each tag. */
const ENDLESS = '<b><i>'.repeat(80_000);

describe('Readmes', () => {
  const readmes = new Readmes();
  after(() => readmes[Symbol.asyncDispose]());

  it('renders Markdown as HTML and returns the cached result the second time', async () => {
    const first = await readmes.render('# Hi', locationOf('a'));
    assert.deepEqual(first, { kind: 'html', html: '<h3 id="readme-hi">Hi</h3>\n' });
    assert.equal(await readmes.render('# Hi', locationOf('a')), first);
  });

  it('renders a README once for two requests at the same time', async () => {
    const [one, other] = await Promise.all([
      readmes.render('a', locationOf('b')),
      readmes.render('a', locationOf('b')),
    ]);
    assert.equal(one, other);
  });

  it('returns plain text if rendering takes too long or produces too much HTML', async () => {
    await using hasty = new Readmes({ deadlineMs: 100 });
    assert.deepEqual(await hasty.render(ENDLESS, locationOf('c')), { kind: 'text', text: ENDLESS });
    await using patient = new Readmes({ deadlineMs: 60_000, html: 10 });
    assert.equal((await patient.render('a long one', locationOf('d'))).kind, 'text');
  });

  it('returns plain text if too many renderings are waiting', async () => {
    await using narrow = new Readmes({ waiting: 1 });
    const [first, second] = await Promise.all([
      narrow.render('a', locationOf('e')),
      narrow.render('b', locationOf('f')),
    ]);
    assert.deepEqual([first.kind, second], ['html', { kind: 'text', text: 'b' }]);
  });

  it('keeps the main thread free while a slow README is rendered', async () => {
    await using own = new Readmes({ deadlineMs: 300 });
    let isDone = false;
    const rendering = own.render(ENDLESS, locationOf('i')).finally(() => {
      isDone = true;
    });
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isDone, false);
    assert.equal((await rendering).kind, 'text');
  });
});
