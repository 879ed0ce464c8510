import { LIMITS } from '../../src/yaml/limits.ts';

const NESTING = 1_000;
/** Number of key-value pairs just below the limit of nodes. */
const MANY = LIMITS.nodes / 2 - 10;
const HEAD = 'version: 1\nproject: shop\n';
/** Repeats a text up to the maximum size of a template. */
const full = (part: string) => part.repeat(Math.floor((LIMITS.bytes - 16) / part.length));
/** Number of values of the maximum length that a template can contain. */
const LONG_VALUES = Math.floor(LIMITS.bytes / LIMITS.text) - 1;
const long = (part: string) => part.repeat(Math.floor((LIMITS.text - 16) / part.length));
const lines = (line: string) => `${line}\n`.repeat(LIMITS.lines - 4);
const each = (count: number, make: (n: number) => string) => Array.from({ length: count }, (_, n) => make(n)).join('');

/** Templates with deep nesting, some of them very short. */
const DEEP = {
  'flow lists': '['.repeat(NESTING) + ']'.repeat(NESTING),
  'flow lists that stay open': '['.repeat(2 * NESTING),
  'flow mappings': '{a: '.repeat(NESTING / 2),
  'flow mappings as keys': '{'.repeat(NESTING) + '}: 1'.repeat(NESTING),
  'lists in a line': `${'- '.repeat(NESTING)}a`,
  'keys in a line': `${'? '.repeat(NESTING)}a`,
  'values in a line': ': '.repeat(NESTING),
  'blocks by indent': each(NESTING, (n) => `${' '.repeat(n)}a:\n`),
  'lists by indent': each(NESTING, (n) => `${' '.repeat(n)}-\n`),
  'a megabyte of brackets': full('['),
  'a megabyte of both brackets': full('[{'),
};

/** Templates with a very large number of keys, items or lines. */
const WIDE = {
  'ten megabytes of keys': each(1_000_000, (n) => `k${n}: 1\n`),
  'keys that are all unknown': HEAD + each(MANY, (n) => `inputsdatabasesstores${n}minCubeship: 1\n`),
  'one key again and again': 'a: 1\n'.repeat(MANY),
  'keys in flow': `{${each(80_000, (n) => `k${n}: 1,`)}}`,
  commas: `[${full(',')}`,
  'closing brackets': full(']'),
  'pairs of brackets': full('[]'),
  'items that are nothing': `${HEAD}apps:\n${'-\n'.repeat(2 * MANY)}`,
  'items that lack everything': `${HEAD}apps:\n${'- {}\n'.repeat(MANY)}`,
  'quotes again and again': full('"a" '),
  'quotes that stay open': full('a: "\n'),
  'documents again and again': full('---\n'),
  'documents with something in them': full('--- a\n'),
  directives: full('%TAG !a! b\n'),
  'comments again and again': lines('# a'),
  'line ends': full('\n'),
  'carriage returns': full('\r'),
  'dashes on lines of their own': full('-\n'),
};

/** Templates with many anchors, aliases and tags. */
const PROPERTIES = {
  'a billion laughs': [...'bcdefghij'].reduce(
    (text, name, n) => `${text}${name}: &${name} [${`*${'abcdefghi'[n]},`.repeat(9)}]\n`,
    'a: &a [lol]\n',
  ),
  'merges of merges': each(900, (n) => `k${n}: &k${n}\n  <<: ${n === 0 ? '{}' : `*k${n - 1}`}\n`),
  'an anchor everywhere': each(2_000, (n) => `k${n}: &a${n} 1\n`),
  'an alias everywhere': `z: &z 1\n${each(2_000, (n) => `k${n}: *z\n`)}`,
  'anchors in a line': `${'&a '.repeat(660)}x`,
  'tags in a line': `${'!!a '.repeat(500)}x`,
  'a megabyte of anchors': full('&a '),
  'a megabyte of aliases': full('*a '),
  'a megabyte of tags': full('!a '),
};

/** Templates that consist of one very long scalar. */
const LONG = {
  'ten megabytes of text': `a: ${'x'.repeat(10 * 1024 * 1024)}`,
  'ten megabytes of digits': `version: ${'1'.repeat(10 * 1024 * 1024)}`,
  'a megabyte of text': `a: ${full('x')}`,
  'a megabyte of digits': `version: ${full('1')}`,
  'a megabyte of hexadecimal digits': `version: 0x${full('f').slice(16)}`,
  'a megabyte of underscores': `version: 1${full('_')}`,
  'a megabyte of key': `${full('k')}: 1`,
  'a name of blanks': `${HEAD}name: "${long('a ')}"`,
  'a slug of hyphens': `version: 1\nproject: a${long('-')}`,
  'escapes again and again': `a: "${full('\\x41')}"`,
  'quotes in single quotes': `a: '${full("''")}'`,
  'backslashes before quotes': `a: "${full('\\"')}`,
  'text on all lines': `a:\n${lines('  some words')}`,
  'a block on all lines': `a: |\n${lines('  some words')}`,
  'a folded block with gaps': `a: >\n${`  some words\n\n`.repeat(LIMITS.lines / 2 - 4)}`,
  'a block’s header': `a: ${full('|')}`,
  'blanks within quotes': `a: "${full(' ')}"`,
  'tabs after a colon': `a: ${full('\t')}b`,
  'a long comment': `# ${full('x')}`,
  'long values': each(LONG_VALUES, (n) => `k${n}: ${long('x')}\n`),
  'long digits': each(LONG_VALUES, (n) => `k${n}: ${long('1')}\n`),
  'long escapes': each(LONG_VALUES, (n) => `k${n}: "${long('\\x41')}"\n`),
  'a long tag': `a: !<${full('x')}> 1`,
};

const APPS = 'apps: [{key: web, image: a}]\n';
const text = (more: string) => `${HEAD}${APPS}inputs: [{key: a, type: text, label: A, ${more}}]\n`;

/** Templates with a valid shape whose values take long to check. */
const MEANT = {
  'a range of a megabyte': `${HEAD}${APPS}minCubeship: "${full('1||').slice(128)}1"\n`,
  'a pattern that tries again and again': text(`pattern: "(a+)+$", default: "${'a'.repeat(50)}!"`),
  'a pattern that is endless': text(`pattern: "${'(a{1,1000}){1,1000}'.repeat(10)}", default: aaa`),
  'a pattern nested deeply': text(`pattern: "${'('.repeat(NESTING)}${')'.repeat(NESTING)}", default: aaa`),
  'patterns that are long': `${HEAD}${APPS}inputs:\n${each(230, (n) => `- {key: a${n}, type: text, label: A, pattern: "${'(a|b{1,9})'.repeat(400)}", default: b}\n`)}`,
  'images that are long': `${HEAD}minVersion: "0.1.0"\napps:\n${each(LONG_VALUES, (n) => `- {key: a${n}, image: "${long('a/')}:1"}\n`)}`,
  'volumes that go up and down': `${HEAD}apps: [{key: web, image: a, volumes: [${each(LONG_VALUES, () => `{path: "${long('/a/..')}"},`)}]}]\n`,
  'almost references, over and over': `${HEAD}apps: [{key: web, image: a, env: {${each(LONG_VALUES, (n) => `A${n}: "${long('$ {input.')}",`)}}}]\n`,
  references: `${HEAD}apps: [{key: web, image: a, env: {A: "${'${input.a}'.repeat(LIMITS.references)}"}}]\n`,
  'almost references': `${HEAD}apps: [{key: web, image: a, env: {A: "${'${inputs.a}'.repeat(LIMITS.references)}"}}]\n`,
  'a megabyte of references': `${HEAD}apps: [{key: web, image: a, env: {A: "${full('${input.a}').slice(128)}"}}]\n`,
};

/** Hostile templates. The check must report a diagnostic for each of them within its limits. */
export const BOMBS: Record<string, string> = { ...DEEP, ...WIDE, ...PROPERTIES, ...LONG, ...MEANT };
