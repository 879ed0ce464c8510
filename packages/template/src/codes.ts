import { ADDITION_CODES } from './codes/additions.ts';
import { ADVICE_CODES } from './codes/advice.ts';
import { APP_CODES } from './codes/apps.ts';
import type { CodeInfo, Layer } from './codes/code.ts';
import { MEANING_CODES } from './codes/meaning.ts';
import { PARSE_CODES } from './codes/parse.ts';
import { RELEASE_CODES } from './codes/release.ts';
import { SHAPE_CODES } from './codes/shape.ts';

export type { CodeInfo, Layer } from './codes/code.ts';

/** All codes of diagnostics. The list is closed, so programs may rely on it. */
export const CODES = {
  ...PARSE_CODES,
  ...SHAPE_CODES,
  ...MEANING_CODES,
  ...APP_CODES,
  ...ADDITION_CODES,
  ...ADVICE_CODES,
  ...RELEASE_CODES,
} satisfies Record<string, CodeInfo>;

export type Code = keyof typeof CODES;

/** Layers in order, with a description of each. */
export const LAYERS: Record<Layer, { title: string; about: string }> = {
  parse: {
    title: 'Reading',
    about: 'Said of the file as YAML. While there is an error among these, nothing else is looked at.',
  },
  shape: { title: 'Shape', about: 'Said of keys and types. While there is one of these, meaning is not looked at.' },
  meaning: { title: 'Meaning', about: 'Said of what the parts of the file say about each other.' },
  advice: { title: 'Advice', about: 'Never refuses a file.' },
  release: { title: 'Release', about: 'Said by the catalog of the files of a release; these have no place in a file.' },
};

/** Returns the reference page of the codes in Markdown, without its header. */
export function codesPage(): string {
  return Object.entries(LAYERS)
    .map(([layer, { title, about }]) => `## ${title}\n\n${about}\n\n${table(layer as Layer)}`)
    .join('\n\n');
}

function table(layer: Layer): string {
  const rows = Object.entries(CODES as Record<string, CodeInfo>)
    .filter(([, info]) => info.layer === layer)
    .map(([code, { severities, means, fix }]) => `| \`${code}\` | ${severities.join(' or ')} | ${means} | ${fix} |`);
  return ['| code | severity | given when | what to do |', '|---|---|---|---|', ...rows].join('\n');
}
