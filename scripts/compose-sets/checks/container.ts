import { interpolated, itemsOf, textOf } from '../compose.ts';
import { isSameValue } from '../match.ts';
import { type Part, type Verdict, verdictOf } from '../part.ts';

export function checkEntrypoint(part: Part, value: unknown): Verdict {
  if (part.kind === 'job') return checkJob(part);
  return part.kind === 'app' ? checkWords(part, value, part.made.command) : 'none';
}

export function checkCommand(part: Part, value: unknown): Verdict {
  if (part.kind === 'job') return checkJob(part);
  return part.kind === 'app' ? checkWords(part, value, part.made.args) : 'none';
}

/** The command of a job contains both the entry point and the command of its service. */
function checkJob(part: Part): Verdict {
  const { entrypoint, command } = part.service.values;
  return checkWords(part, [...wordsOf(entrypoint), ...wordsOf(command)], part.made.command);
}

function checkWords({ references }: Part, value: unknown, made: unknown): Verdict {
  const expected = wordsOf(value);
  if (expected.length === 0) return 'none';
  const words = itemsOf(made).map(String);
  const isSame =
    expected.length === words.length &&
    expected.every((word, index) => isSameValue(word, words[index] ?? '', 'COMMAND_SECRET', references));
  return verdictOf(isSame ? [] : [`${JSON.stringify(expected)} became ${JSON.stringify(words)}`]);
}

function wordsOf(value: unknown): string[] {
  return typeof value === 'string' ? shellWords(value) : itemsOf(value).map(textOf);
}

/** Splits a command line into words by the quoting rules of a POSIX shell. */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? '';
    if (quote === '' && /\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    word ??= '';
    if (character === quote) quote = '';
    else if (quote === '' && (character === '"' || character === "'")) quote = character;
    else if (character === '\\' && isEscape(quote, line[at + 1] ?? '')) word += line[++at] ?? '';
    else word += character;
  }
  return word === null ? words : [...words, word];
}

function isEscape(quote: string, next: string): boolean {
  if (quote === "'") return false;
  return quote === '' ? true : /["\\$`]/.test(next);
}

/** Davit restarts apps and databases always. `no` has no equivalent: such a service is meant to run once. */
export function checkRestart({ kind }: Part, value: unknown): Verdict {
  if (kind === 'job' || /^(?:no|false|never)$/.test(textOf(value))) return 'none';
  return 'correct';
}

export function isTrue(_part: Part, value: unknown): Verdict {
  return value === 'true' ? 'correct' : 'none';
}

/** An app pulls the tag `latest` always, and every other tag if it is missing. The setting `pull` changes this. */
export function checkPullPolicy({ service, kind }: Part, value: unknown): Verdict {
  const policy = textOf(value) === 'if_not_present' ? 'missing' : textOf(value);
  if (kind !== 'app' || !/^(?:always|missing)$/.test(policy)) return 'none';
  const tag = /:([^/:@]+)$/.exec(interpolated(textOf(service.values.image)))?.[1] ?? 'latest';
  const usual = tag === 'latest' ? 'always' : 'missing';
  return policy === usual ? 'correct' : { wrong: `the policy is ${usual} and not ${policy}` };
}

/** An app has this setting, but a template has no key for it. */
export function isOnlySetting({ kind }: Part, value: unknown): Verdict {
  return kind === 'app' ? { wrong: `a template has no key for ${textOf(value)}` } : 'none';
}
