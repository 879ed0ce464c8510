import type { SourceNode } from '../document.ts';
import type { Findings, SourceLocation } from '../findings.ts';
import { didYouMean } from '../hint.ts';
import type { TextForm, TextShape } from '../schema/shape.ts';
import { corrected } from './hints.ts';
import { either, excerpt, kindOf, nameOf, quoted } from './words.ts';

/**
 * Types of unquoted YAML values that an author may have intended as text. For example, `true` without quotes is a
 * boolean.
 */
const QUOTABLE = new Set(['int', 'float', 'bool', 'timestamp']);
const patterns = new Map<string, RegExp>();

export function checkText(
  node: SourceNode,
  shape: TextShape,
  location: SourceLocation,
  findings: Findings,
): string | undefined {
  if (node.kind !== 'scalar' || node.tag !== 'string') return notText(node, location, findings);
  const { text } = node;
  if (text === '' && !shape.mayBeEmpty) {
    findings.add('schema.too_small', location, `${nameOf(location.path)} must not be empty.`);
  } else if (shape.oneOf) {
    checkOneOf(text, shape.oneOf, location, findings);
  } else if (shape.form) {
    checkForm(text, shape.form, location, findings);
  }
  return text;
}

function notText(node: SourceNode, location: SourceLocation, findings: Findings): undefined {
  const message = `${nameOf(location.path)} must be text, but is ${kindOf(node)}.`;
  const hint = () =>
    node.kind === 'scalar' && QUOTABLE.has(node.tag)
      ? `Put the value in quotes: \`${quoted(location.path, node)}\`.`
      : undefined;
  findings.add('schema.invalid_type', location, message, hint);
  return undefined;
}

function checkOneOf(text: string, words: readonly string[], location: SourceLocation, findings: Findings): void {
  if (words.includes(text)) return;
  const message = `${nameOf(location.path)} must be ${either(words)}, but is ${excerpt(text)}.`;
  findings.add('schema.invalid_value', location, message, () => didYouMean(text, words));
}

/** Checks that a value or a key has the required format. If not, reports a problem and returns `false`. */
export function checkForm(text: string, form: TextForm, location: SourceLocation, findings: Findings): boolean {
  const { pattern, maxLength = Number.POSITIVE_INFINITY, means, code } = form;
  /*
   * A code point has at most two UTF-16 units. Therefore, a text with more than twice as many units as the limit is too
   * long.
   */
  const tooLong = text.length > 2 * maxLength || (text.length > maxLength && [...text].length > maxLength);
  if (!tooLong && matches(text, pattern)) return true;
  findings.add(code, location, `${nameOf(location.path)} must be ${means}, but is ${excerpt(text)}.`, () =>
    tooLong ? undefined : corrected(text, form),
  );
  return false;
}

function matches(text: string, pattern: string): boolean {
  let compiled = patterns.get(pattern);
  if (!compiled) {
    compiled = new RegExp(pattern, 'u');
    patterns.set(pattern, compiled);
  }
  return compiled.test(text);
}
