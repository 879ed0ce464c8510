import { readClass } from './character-class.ts';
import { Reader, readEscape } from './reader.ts';
import { codeOf, isNoLineEnd } from './sets.ts';
import { PatternError, type PatternNode } from './tree.ts';

/** Maximum nesting depth of groups in a regular expression. No known template has deeper nesting. */
const DEEPEST = 50;
/** Maximum length of a regular expression in characters. */
const LONGEST = 4096;
/**
 * Maximum number of repetitions in a regular expression, such as 1000 in `a{1000}`. RE2 and similar engines with linear
 * run time have the same limit.
 */
const MOST_REPEATS = 1000;

/**
 * Parses a regular expression. Supports only syntax that has the same meaning in all common regular expression
 * dialects.
 * @throws PatternError for other syntax
 */
export function parsePattern(pattern: string): PatternNode {
  if (pattern.length > LONGEST) throw new PatternError(`the pattern is longer than ${LONGEST} characters`);
  const reader = new Reader(pattern);
  const node = readEither(reader, 0);
  if (!reader.isOver) throw new PatternError('a ) has no matching (');
  return node;
}

function readEither(reader: Reader, depth: number): PatternNode {
  if (depth > DEEPEST) throw new PatternError('the groups are nested too deeply');
  const branches = [readSequence(reader, depth)];
  while (reader.take('|')) branches.push(readSequence(reader, depth));
  const [only] = branches;
  return branches.length === 1 && only ? only : { is: 'either', of: branches };
}

function readSequence(reader: Reader, depth: number): PatternNode {
  const parts: PatternNode[] = [];
  while (!reader.isOver && reader.peek() !== '|' && reader.peek() !== ')') {
    parts.push(readRepeated(reader, readAtom(reader, depth)));
  }
  return { is: 'sequence', of: parts };
}

function readRepeated(reader: Reader, atom: PatternNode): PatternNode {
  const times = readTimes(reader);
  if (times === null) return atom;
  if (atom.is === 'assert') throw new PatternError('an anchor is repeated, such as ^*');
  /*
   * A lazy repetition (`*?`) is treated like a greedy repetition. Both give the same result, because the whole text
   * must match.
   */
  reader.take('?');
  if (readTimes(reader) !== null) throw new PatternError('a repetition is repeated, such as a**');
  return { is: 'repeat', of: atom, ...times };
}

function readTimes(reader: Reader): { min: number; max: number } | null {
  if (reader.take('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
  if (reader.take('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
  if (reader.take('?')) return { min: 0, max: 1 };
  if (reader.peek() !== '{') return null;
  const [counted, least = '', comma, most] = reader.takeMatch(/^\{(\d{1,6})(,(\d{1,6})?)?\}/) ?? [];
  if (counted === undefined) return null;
  const min = Number(least);
  const max = most !== undefined ? Number(most) : comma === undefined ? min : Number.POSITIVE_INFINITY;
  if (min > max) throw new PatternError('the minimum of a repetition is greater than its maximum');
  if (min > MOST_REPEATS || (max > MOST_REPEATS && max !== Number.POSITIVE_INFINITY)) {
    throw new PatternError(`a repetition count is greater than ${MOST_REPEATS}`);
  }
  return { min, max };
}

function readAtom(reader: Reader, depth: number): PatternNode {
  const character = reader.next();
  switch (character) {
    case '(':
      return readGroup(reader, depth);
    case '[':
      return readClass(reader);
    case '.':
      return { is: 'set', has: isNoLineEnd, cost: 1 };
    case '^':
      return { is: 'assert', what: 'start' };
    case '$':
      return { is: 'assert', what: 'end' };
    case '*':
    case '+':
    case '?':
      throw new PatternError(`a ${character} has nothing to repeat`);
    case '\\':
      return readEscaped(reader);
    default: {
      const code = codeOf(character);
      return { is: 'set', has: (other) => other === code, cost: 1 };
    }
  }
}

function readEscaped(reader: Reader): PatternNode {
  if (reader.take('b')) return { is: 'assert', what: 'boundary' };
  if (reader.take('B')) return { is: 'assert', what: 'inside' };
  const escaped = readEscape(reader);
  return { is: 'set', has: typeof escaped === 'number' ? (code) => code === escaped : escaped, cost: 1 };
}

function readGroup(reader: Reader, depth: number): PatternNode {
  if (reader.peek() === '?' && !reader.take('?:') && !reader.takeMatch(/^\?<[A-Za-z]\w{0,12}>/)) {
    throw new PatternError('a group that begins with (? is not supported by all programs');
  }
  const inner = readEither(reader, depth + 1);
  if (!reader.take(')')) throw new PatternError('a ( is not closed');
  return inner;
}
