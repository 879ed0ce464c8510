import type { ScalarTag, SourceNode } from '../document.ts';
import type { Findings, SourceLocation } from '../findings.ts';
import { INTEGER_BOUND, type IntegerShape, type SimpleShape, type TextShape } from '../schema/shape.ts';
import { numberOf } from '../yaml/scalar.ts';
import { withoutQuotes } from './hints.ts';
import { checkText } from './text.ts';
import { excerpt, kindOf, nameOf } from './words.ts';

/** Range of server ports that a template may use. */
const HOST_PORT: IntegerShape = { is: 'integer', min: 1024, max: 65535 };

const NUMBERS = ['int', 'float'];

/** Allowed YAML types of an amount such as `512Mi`. A later check validates the number and the suffix. */
const AMOUNTS = new Set<ScalarTag>(['string', 'int', 'float']);

export function checkScalar(
  node: SourceNode,
  shape: TextShape | IntegerShape | SimpleShape,
  location: SourceLocation,
  findings: Findings,
): unknown {
  switch (shape.is) {
    case 'text':
      return checkText(node, shape, location, findings);
    case 'integer':
      return checkInteger(node, shape, location, findings);
    case 'number':
      return (
        asNumber(node) ??
        invalidType(node, 'a number', location, findings, () => withoutQuotes(node, location.path, NUMBERS))
      );
    case 'boolean':
      return (
        asBoolean(node) ??
        invalidType(node, '`true` or `false`', location, findings, () => withoutQuotes(node, location.path, ['bool']))
      );
    case 'amount':
      return checkAmount(node, location, findings);
    case 'hostPort':
      return checkHostPort(node, location, findings);
    default:
      return checkOne(node, location, findings);
  }
}

/** Reports that a value has the wrong type. Always returns `undefined`, which means an invalid value. */
export function invalidType(
  node: SourceNode,
  expected: string,
  location: SourceLocation,
  findings: Findings,
  hint?: () => string | undefined,
): undefined {
  const message = `${nameOf(location.path)} must be ${expected}, but is ${kindOf(node)}.`;
  findings.add('schema.invalid_type', location, message, hint);
  return undefined;
}

function checkInteger(node: SourceNode, shape: IntegerShape, location: SourceLocation, findings: Findings): unknown {
  if (shape.orNull && node.kind === 'scalar' && node.tag === 'null') return null;
  const value = asNumber(node);
  if (value === undefined || !Number.isInteger(value) || Math.abs(value) >= INTEGER_BOUND) {
    const expected = shape.orNull ? 'a whole number or null' : 'a whole number';
    return invalidType(node, expected, location, findings, () => withoutQuotes(node, location.path, ['int']));
  }
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = shape;
  if (value < min)
    findings.add('schema.too_small', location, `${nameOf(location.path)} must be at least ${min}, but is ${value}.`);
  if (value > max)
    findings.add('schema.too_big', location, `${nameOf(location.path)} must be at most ${max}, but is ${value}.`);
  return value;
}

function asNumber(node: SourceNode): number | undefined {
  if (node.kind !== 'scalar' || (node.tag !== 'int' && node.tag !== 'float')) return undefined;
  return numberOf(node.text) ?? undefined;
}

function asBoolean(node: SourceNode): boolean | undefined {
  if (node.kind !== 'scalar' || node.tag !== 'bool') return undefined;
  return node.text.toLowerCase() === 'true';
}

function checkAmount(node: SourceNode, location: SourceLocation, findings: Findings): unknown {
  if (node.kind === 'scalar' && AMOUNTS.has(node.tag)) return node.text;
  return invalidType(node, 'an amount such as `512Mi`', location, findings);
}

function checkHostPort(node: SourceNode, location: SourceLocation, findings: Findings): unknown {
  if (node.kind !== 'scalar') return invalidType(node, 'a port or a reference to an input', location, findings);
  if (node.tag === 'string') return checkText(node, { is: 'text' }, location, findings);
  const port = checkInteger(node, HOST_PORT, location, findings);
  return typeof port === 'number' && !/^[0-9]+$/.test(node.text) ? String(port) : node.text;
}

/** Checks that a value is the digit 1 without quotes. `1.0`, `0x1` and `"1"` are errors. */
function checkOne(node: SourceNode, location: SourceLocation, findings: Findings): unknown {
  if (node.kind === 'scalar' && node.tag === 'int' && node.text === '1') return 1;
  const value = node.kind === 'scalar' ? excerpt(node.text) : kindOf(node);
  const message = `${nameOf(location.path)} must be the number 1, but is ${node.kind === 'scalar' && node.tag === 'string' ? 'the text ' : ''}${value}.`;
  findings.add('schema.invalid_value', location, message, () => 'Write `version: 1`.');
  return undefined;
}
