/**
 * Finds words and sentences that readers of average English do not understand, in all texts for people: descriptions of
 * the API, documents, help of the command line, strings of the dashboard and messages of the servers.
 *
 *     node scripts/words.ts [part of a path]
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'vite';

const ROOT = join(import.meta.dirname, '..');

/** Minimum number of words of a sentence. Shorter texts are names, labels and keys. */
const SHORTEST = 3;

export interface Finding {
  /** Path of the file in the repository. */
  path: string;
  rule: Rule;
  sentence: string;
}

/** Words that the glossary replaces, by the term to use. */
export const REPLACED_TERMS: Record<string, RegExp> = {
  server: /\bthe (?:machine|world)\b|\bthis machine\b/i,
  'managed service': /\b(?:a|the) resident\b|\bresidents\b/i,
  event: /\btelling\b|\btells? of\b|\b(?:is|are|was|were|be|been|being) told\b/i,
  reconciler: /\bkeepers?\b/i,
  retention: /\bwhat (?:is|was) kept\b|\bput aside\b|\btak(?:en?|es|ing) (?:away|off)\b|\blet(?:s|ting)? go\b/i,
  'backup coverage': /\bgood ones?\b|\bknown to be good\b/i,
  task: /\bunder way\b|\bbeside each other\b/i,
  login: /\bwhat it is reached with\b/i,
  user: /\b(?:whoever|nobody|somebody)\b/i,
  trash: /\bin no record\b/i,
};

const RULES = {
  guillemets: (sentence: string) => /[«»]/.test(sentence),
  /** A sentence begins with its subject or, in instructions, with its verb. */
  'no subject': (sentence: string) =>
    /^(?:Whose|Under which|Of (?:those|them|it|all|an?|the|this)\b|The same[:.,]|That which|What it\b|By the\b|Null:|Absent:|None:|Told\b)/.test(
      sentence,
    ) || /^What (?:is|was|are|were) (?:told|kept|asked|made|left|meant)\b/.test(sentence),
  words: (sentence: string) =>
    /\b(?:of|by) itself\b|\bof its own accord\b|\bhow it (?:went|stands)\b/i.test(sentence) ||
    Object.values(REPLACED_TERMS).some((pattern) => pattern.test(sentence)),
} satisfies Record<string, (sentence: string) => boolean>;

export type Rule = keyof typeof RULES;

/** Files with texts for people. */
export const SOURCES = {
  api: ['api/*.json'],
  docs: ['*.md', 'docs/**/*.md', 'examples/**/*.md'],
  code: ['packages/*/src/**/*.{ts,tsx}'],
};
const EXCLUDED = ['**/*.test.{ts,tsx}', '**/node_modules/**', 'packages/testkit/**', '**/migrations/**'];

/** Returns all findings in the repository, ordered by path. */
export function findings(): Finding[] {
  const paths = globSync(Object.values(SOURCES).flat(), { cwd: ROOT, exclude: EXCLUDED }).sort();
  return paths.flatMap((path) => findingsIn(path, readFileSync(join(ROOT, path), 'utf8')));
}

/** Returns the findings in the content of a file. The extension of its path selects the texts. */
export function findingsIn(path: string, content: string): Finding[] {
  return textsOf(path, content)
    .flatMap(sentencesOf)
    .flatMap((sentence) => brokenRules(sentence).map((rule) => ({ path, rule, sentence })));
}

/** Returns the rules that a sentence breaks. */
export function brokenRules(sentence: string): Rule[] {
  return (Object.keys(RULES) as Rule[]).filter((rule) => RULES[rule](sentence));
}

function textsOf(path: string, content: string): string[] {
  if (path.endsWith('.json')) return descriptionsOf(JSON.parse(content));
  if (path.endsWith('.md')) return [proseOf(content)];
  return stringsOf(path, content);
}

/** Returns the values of all `description` and `summary` fields at any depth. */
function descriptionsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    (key === 'description' || key === 'summary') && typeof inner === 'string' ? [inner] : descriptionsOf(inner),
  );
}

/** Returns a document without code, link targets and comments. */
function proseOf(page: string): string {
  return page
    .replaceAll(/^ *```[\s\S]*?^ *```$/gm, '\n\n')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/`[^`\n]*`/g, 'x')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/[*_[\]]/g, '')
    .replaceAll('|', '\n\n');
}

/** Returns the string literals, templates and JSX texts of a module. */
function stringsOf(path: string, content: string): string[] {
  const texts: string[] = [];
  const visitor = new Visitor({
    Literal: ({ value }) => {
      if (typeof value === 'string') texts.push(value);
    },
    TemplateLiteral: ({ quasis }) => {
      texts.push(quasis.map(({ value }) => value.cooked ?? '').join('x'));
    },
    JSXText: ({ value }) => {
      texts.push(value);
    },
  });
  visitor.visit(parseSync(path, content).program);
  return texts.map((text) => text.replaceAll(/`[^`\n]*`/g, 'x'));
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?:;])\s+|\n\s*\n|^\s*(?:[-+]|#+|\d+\.)\s+/m)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .filter((sentence) => sentence.split(' ').length >= SHORTEST);
}

if (import.meta.main) {
  const part = process.argv[2] ?? '';
  for (const { path, rule, sentence } of findings().filter(({ path }) => path.includes(part)))
    console.log(`${path}: ${rule}: ${sentence}`);
}
