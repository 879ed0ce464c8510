import { readTemplate } from '../../src/read.ts';

/** Parts of the smallest valid template. */
export const HEAD = 'version: 1\nproject: shop\n';
export const APPS = 'apps: [{key: web, image: a}]\n';

/** Returns a template with one app that contains these lines. */
export function app(...lines: string[]): string {
  return `${HEAD}apps:\n  - key: web\n${lines.map((line) => `    ${line}\n`).join('')}`;
}

/** Returns the problems of a template, each as `code path`. The codes have no prefix `schema.`. */
export function problemCodes(text: string): string[] {
  return readTemplate(text).problems.map(({ code, path }) => `${code.replace('schema.', '')} ${path.join('.')}`);
}

/** Returns the hint of the first problem. */
export function hintOf(text: string): string | undefined {
  return readTemplate(text).problems[0]?.hint;
}

export const draftOf = (text: string) => readTemplate(text).draft;
export const appOf = (...lines: string[]) => draftOf(app(...lines))?.apps[0];
