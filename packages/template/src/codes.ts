import { ADDITION_CODES } from './codes/additions.ts';
import { ADVICE_CODES } from './codes/advice.ts';
import { APP_CODES } from './codes/apps.ts';
import type { CodeInfo, Layer } from './codes/code.ts';
import { MEANING_CODES } from './codes/meaning.ts';
import { PARSE_CODES } from './codes/parse.ts';
import { RELEASE_CODES } from './codes/release.ts';
import { SHAPE_CODES } from './codes/shape.ts';

export type { CodeInfo, Layer } from './codes/code.ts';

/** All diagnostic codes of the template check. Clients may rely on the fact that there are no other codes. */
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

/**
 * Groups of diagnostic codes, in the order in which the checks run. The documentation contains the title and the
 * description of each group.
 */
export const LAYERS: Record<Layer, { title: string; about: string }> = {
  parse: {
    title: 'Reading',
    about: 'Problems with the YAML syntax. After an error in the YAML syntax, no other check runs.',
  },
  shape: {
    title: 'Shape',
    about: 'Problems with keys and types. If a key or type is wrong, Davit does not check the content of the template.',
  },
  meaning: {
    title: 'Meaning',
    about: 'Problems with the content of a template, for example parts that contradict each other.',
  },
  advice: {
    title: 'Advice',
    about: 'Recommendations for better templates. A template is valid even if you ignore them.',
  },
  release: {
    title: 'Release',
    about:
      'Problems with the files of a template release. Only the catalog reports these problems. They have no line number.',
  },
};

/** Returns the documentation of all diagnostic codes in Markdown, without the page header. */
export function codesPage(): string {
  return Object.entries(LAYERS)
    .map(([layer, { title, about }]) => `## ${title}\n\n${about}\n\n${table(layer as Layer)}`)
    .join('\n\n');
}

function table(layer: Layer): string {
  const rows = Object.entries(CODES as Record<string, CodeInfo>)
    .filter(([, info]) => info.layer === layer)
    .map(([code, { severities, means, fix }]) => `| \`${code}\` | ${severities.join(' or ')} | ${means} | ${fix} |`);
  return ['| code | severity | meaning | what to do |', '|---|---|---|---|', ...rows].join('\n');
}
