import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDavitFile } from '../davit-yaml/parse.ts';
import type { Prompter } from '../prompts/prompter.ts';
import { type StartOptions, startFile } from './start-file.ts';
import { exposedPorts } from './what-is-there.ts';

const NOTHING: StartOptions = { app: undefined, port: undefined, image: undefined, health: undefined };

/** Returns a terminal that answers prompts with these texts, in order. Without answers, the output is no terminal. */
function person(...answers: string[]): { ask: Prompter; asked: string[] } {
  const questions: string[] = [];
  const text = async (question: string) => {
    questions.push(question);
    return answers.shift() ?? '';
  };
  return { ask: { isPossible: answers.length > 0, text } as unknown as Prompter, asked: questions };
}

describe('startFile', () => {
  it('names the app after its folder by default', async () => {
    const there = { hasDockerfile: true, ports: [3000], folder: 'My Shop!' };
    const { app, text } = await startFile(person(), NOTHING, there);

    assert.equal(app, 'my-shop/production/my-shop');
    assert.ok(parseDavitFile(text).ok);
    assert.match(text, /^# yaml-language-server: \$schema=\.davit\/schema\.json\n/);
    assert.doesNotMatch(text, /^port/m);
  });

  it('prompts for values that cannot be detected', async () => {
    const { ask: prompter, asked: questions } = person('shop/production/web', '9000');
    const { text } = await startFile({ ask: prompter }, NOTHING, { hasDockerfile: false, ports: [], folder: 'x' });

    assert.equal(questions.length, 2);
    assert.match(text, /^app: shop\/production\/web\nport: 9000$/m);
  });

  it('does not prompt for values given as options', async () => {
    const { ask: prompter, asked: questions } = person('never');
    const options = { app: 'a/b/c', port: 'none', image: 'nginx:1', health: '/up' };
    const { text } = await startFile({ ask: prompter }, options, { hasDockerfile: false, ports: [], folder: 'x' });

    assert.deepEqual(questions, []);
    assert.match(text, /^app: a\/b\/c\nimage: nginx:1\nport: null\nhealth:\n {2}path: \/up$/m);
  });

  it('refuses an invalid app name or port', async () => {
    const there = { hasDockerfile: true, ports: [], folder: 'x' };
    await assert.rejects(startFile(person(), { ...NOTHING, app: 'web' }, there), /Nothing was written/);
    await assert.rejects(startFile(person(), { ...NOTHING, port: '99999' }, there), /port must be at most 65535/);
  });
});

describe('exposedPorts', () => {
  for (const [text, ports] of [
    ['FROM a\nEXPOSE 80', [80]],
    ['FROM a AS b\nEXPOSE 1\nFROM c\nexpose 8080/tcp 9090 53/udp', [8080, 9090]],
    ['FROM a\nEXPOSE \\\n  80', [80]],
    ['FROM a\nEXPOSE $PORT', []],
    ['', []],
  ] as const) {
    it(`returns ${JSON.stringify(ports)} for ${JSON.stringify(text)}`, () =>
      assert.deepEqual(exposedPorts(text), ports));
  }
});
