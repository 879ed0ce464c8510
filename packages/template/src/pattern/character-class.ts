import { type Reader, readEscape } from './reader.ts';
import { codeOf } from './sets.ts';
import { type Has, PatternError, type PatternNode } from './tree.ts';

/** Parses a character class of a regular expression, such as `[a-z]`. The opening bracket has already been read. */
export function readClass(reader: Reader): Extract<PatternNode, { is: 'set' }> {
  const isNegated = reader.take('^');
  if (reader.peek() === ']') throw new PatternError('programs interpret [] and [^] in different ways');
  const members: Has[] = [];
  while (!reader.take(']')) members.push(readMember(reader));
  const has: Has = (code) => members.some((member) => member(code));
  return { is: 'set', has: isNegated ? (code) => !has(code) : has, cost: members.length };
}

function readMember(reader: Reader): Has {
  const from = readOne(reader);
  const isRange = reader.peek() === '-' && reader.peek(1) !== ']' && reader.peek(1) !== '';
  if (!isRange) return typeof from === 'number' ? (code) => code === from : from;
  reader.next();
  const to = readOne(reader);
  if (typeof from !== 'number' || typeof to !== 'number')
    throw new PatternError('a range begins or ends with a class such as \\d');
  if (from > to) throw new PatternError('a range ends before it begins');
  return (code) => code >= from && code <= to;
}

function readOne(reader: Reader): Has | number {
  if (reader.isOver) throw new PatternError('a [ is not closed');
  const character = reader.next();
  if (character === '\\') return readEscape(reader);
  if (character === '[' && /[:.=]/.test(reader.peek()))
    throw new PatternError('[: begins a class that most programs do not support');
  return codeOf(character);
}
