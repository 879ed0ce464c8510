/**
 * Splits terminal output into styled pieces of text. Converts ANSI colors, removes other escape sequences, and makes
 * control characters visible.
 */
import { type Colour, cube } from './colour.ts';

export interface Look {
  readonly colour: Colour | null;
  readonly ground: Colour | null;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly struck: boolean;
  readonly inverse: boolean;
}

export interface Piece {
  readonly text: string;
  /** Text style, or `null` for the default style. */
  readonly look: Look | null;
}

const PLAIN: Look = {
  colour: null,
  ground: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  struck: false,
  inverse: false,
};

/**
 * Matches ANSI escape sequences, for example for colors. Only a part of an incomplete sequence matches, so that the
 * text after the sequence stays visible.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with the character ESC
const SEQUENCE = /\u001b(?:\[([0-?]*)([ -/]*)([@-~])|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-~])/g;

/**
 * Matches control characters, bidirectional controls and Unicode line separators. The control characters are C0 without
 * tabs, DEL, and C1.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression must match control characters
const UNSAFE = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu;

/**
 * Returns one visible Unicode symbol for a control character, or the replacement character U+FFFD if there is no such
 * symbol.
 */
function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}

function safe(text: string): string {
  return text.replace(UNSAFE, visible);
}

/** Returns the visible text of a line of terminal output, without colors. */
export function plainOf(line: string): string {
  return safe(line.includes('\u001b') ? line.replace(SEQUENCE, '') : line);
}

/** Splits a line of terminal output into pieces. Each piece has one text style. */
export function piecesOf(line: string): Piece[] {
  if (!line.includes('\u001b')) return [{ text: safe(line), look: null }];
  const pieces: Piece[] = [];
  let look: Look | null = null;
  let from = 0;
  for (const found of line.matchAll(SEQUENCE)) {
    push(pieces, line.slice(from, found.index), look);
    from = found.index + found[0].length;
    const [, parameters, between, final] = found;
    if (final === 'm' && between === '' && /^[\d;:]*$/.test(parameters ?? '')) look = changed(look, parameters ?? '');
  }
  push(pieces, line.slice(from), look);
  return pieces;
}

function push(pieces: Piece[], text: string, look: Look | null): void {
  if (text === '') return;
  const last = pieces.at(-1);
  if (last && last.look === look) pieces[pieces.length - 1] = { text: last.text + safe(text), look };
  else pieces.push({ text: safe(text), look });
}

type Change = Partial<Look>;

/**
 * Text styles for ANSI style codes. For example, code 1 starts bold text, and code 22 ends bold text. Codes with
 * parameters are not included.
 */
const CHANGES: Record<number, Change> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { struck: true },
  21: { underline: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { struck: false },
  39: { colour: null },
  49: { ground: null },
};

function changed(before: Look | null, parameters: string): Look | null {
  let look: Look = before ?? PLAIN;
  const numbers = parameters.split(';');
  for (let at = 0; at < numbers.length; at += 1) {
    const [code = 0, ...within] = (numbers[at] ?? '').split(':').map(Number);
    if (code === 0) look = PLAIN;
    else if (code === 38 || code === 48) {
      const [colour, used] =
        within.length > 0 ? [colourIn(within), 0] : colourAfter(numbers.slice(at + 1, at + 5).map(Number));
      at += used;
      if (colour) look = { ...look, [code === 38 ? 'colour' : 'ground']: colour };
    } else look = { ...look, ...(CHANGES[code] ?? named(code)) };
  }
  return Object.entries(PLAIN).every(([name, value]) => look[name as keyof Look] === value) ? null : look;
}

/** Returns the style change of an ANSI SGR code for one of the 16 basic colors. */
function named(code: number): Change {
  if (code >= 30 && code <= 37) return { colour: code - 30 };
  if (code >= 40 && code <= 47) return { ground: code - 40 };
  if (code >= 90 && code <= 97) return { colour: code - 82 };
  if (code >= 100 && code <= 107) return { ground: code - 92 };
  return {};
}

/**
 * Parses the color parameters of the ANSI codes `38;5;n` and `38;2;r;g;b`.
 * @returns the color, and the number of parameters that belong to the color
 */
function colourAfter([kind, ...rest]: number[]): [colour: Colour | null, used: number] {
  if (kind === 5) return [colourIn([5, rest[0] ?? -1]), 2];
  if (kind === 2) return [colourIn([2, ...rest.slice(0, 3)]), 4];
  return [null, 0];
}

/** Parses ANSI color parameters that are separated by colons: `5:n`, `2:r:g:b`, or `2:<color space>:r:g:b`. */
function colourIn([kind, ...rest]: number[]): Colour | null {
  if (kind === 5) return cube(rest[0] ?? -1);
  const [red, green, blue] = rest.length > 3 ? rest.slice(1) : rest;
  if (kind !== 2 || ![red, green, blue].every(isByte)) return null;
  return [red as number, green as number, blue as number];
}

function isByte(value: number | undefined): boolean {
  return value !== undefined && Number.isInteger(value) && value >= 0 && value <= 255;
}
