/**
 * Runs the shell blocks of all tutorials and how-to guides on a real instance. A block that cannot run here is a
 * skipped case with the reason.
 */
import { after, before, describe, it } from 'node:test';
import { DOC_FIXTURES } from '../../support/doc-fixtures.ts';
import { commandsOf, type DocPage, docPages, type ShellBlock, withoutLines } from '../../support/doc-pages.ts';
import { DocHarness } from '../../support/doc-place.ts';
import { whyNoEngine } from '../../support/live-harness.ts';
import { inLong } from '../../support/tiers.ts';

/** Pages that run at a time. Each page has its own instance. */
const PAGES_AT_ONCE = 2;

describe('shell blocks of the tutorials and how-to guides', {
  skip: whyNoEngine() ?? false,
  concurrency: PAGES_AT_ONCE,
}, () => {
  for (const page of docPages()) {
    const isTutorial = page.path.startsWith('docs/tutorials/');
    describe(page.path, { skip: isTutorial ? false : inLong.skip, concurrency: 1 }, () => runPage(page));
  }
});

function runPage({ path, blocks }: DocPage): void {
  const { blocks: whole = {}, lines = {}, ...fixture } = DOC_FIXTURES[path] ?? {};
  const first = (block: ShellBlock) => commandsOf(block)[0] ?? '';
  let harness: DocHarness;
  if (blocks.some((block) => whole[first(block)] === undefined)) {
    before(async () => {
      harness = await DocHarness.create();
      if (!blocks.some((block) => first(block).startsWith('davit login') || block.text.includes('\ndavit login')))
        await harness.signIn();
      await fixture.prepare?.(harness);
    });
    after(() => harness?.[Symbol.asyncDispose]());
  }

  for (const block of blocks) {
    const name = `${block.line}, ${block.heading}: ${first(block)}`;
    const reason = whole[first(block)];
    it(name, { skip: reason ?? false }, async () => {
      await fixture.before?.[first(block)]?.(harness);
      const text = withoutLines(block, new Set(Object.keys(lines)));
      await harness.shell.run(harness.replaced(text), fixture.answers?.[first(block)]?.(harness));
      await fixture.after?.[first(block)]?.(harness);
    });
    for (const command of commandsOf(block).filter((line) => lines[line] !== undefined)) {
      it(`${block.line}, ${block.heading}: ${command}`, { skip: lines[command] ?? false }, () => undefined);
    }
  }
}
