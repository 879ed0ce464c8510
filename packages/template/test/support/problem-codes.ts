import { readTemplate } from '../../src/read.ts';

/** The least there must be, in two parts. */
export const HEAD = 'version: 1\nproject: shop\n';
export const APPS = 'apps: [{key: web, image: a}]\n';

/** A template with one app, and these lines in it. */
export function app(...lines: string[]): string {
  return `${HEAD}apps:\n  - key: web\n${lines.map((line) => `    ${line}\n`).join('')}`;
}

/** Code and path of everything that is told, the layer left out of the code. */
export function problemCodes(text: string): string[] {
  return readTemplate(text).problems.map(({ code, path }) => `${code.replace('schema.', '')} ${path.join('.')}`);
}

/** The hint of what is told first. */
export function hintOf(text: string): string | undefined {
  return readTemplate(text).problems[0]?.hint;
}

export const draftOf = (text: string) => readTemplate(text).draft;
export const appOf = (...lines: string[]) => draftOf(app(...lines))?.apps[0];
