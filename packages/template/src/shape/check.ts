import type { SourceNode } from '../document.ts';
import type { Findings, Place } from '../findings.ts';
import { didYouMean } from '../hint.ts';
import type { ListShape, ObjectShape, Shape, VariantsShape } from '../schema/shape.ts';
import { asList, asMapping } from './hints.ts';
import { checkFields } from './object.ts';
import { checkScalar, invalidType } from './scalar.ts';
import { checkVariables } from './variables.ts';
import { either, kindOf, nameOf } from './words.ts';

/**
 * Checks the keys and types of a value in a template file. Returns the converted value and adds problems to `findings`.
 * If there are problems, the returned value is incomplete and must not be used.
 */
export function checkShape(node: SourceNode, shape: Shape, place: Place, findings: Findings): unknown {
  switch (shape.is) {
    case 'list':
      return checkList(node, shape, place, findings);
    case 'object':
      return checkObject(node, shape, place, findings);
    case 'variants':
      return checkVariants(node, shape, place, findings);
    case 'variables':
      return checkVariables(node, place, findings);
    default:
      return checkScalar(node, shape, place, findings);
  }
}

function checkList(node: SourceNode, shape: ListShape, place: Place, findings: Findings): unknown {
  const { of, first = of, min = 0 } = shape;
  if (node.kind !== 'list') {
    return invalidType(node, 'a list', place, findings, () => asList(node, shape, place.path));
  }
  if (node.items.length < min) {
    findings.add(
      'schema.too_small',
      place,
      `${nameOf(place.path)} needs at least ${min} ${min === 1 ? 'item' : 'items'}.`,
    );
  }
  return node.items.map((item, index) =>
    checkShape(item, index === 0 ? first : of, { path: [...place.path, index], position: item.position }, findings),
  );
}

function checkObject(node: SourceNode, shape: ObjectShape, place: Place, findings: Findings): unknown {
  if (node.kind !== 'map') {
    return invalidType(node, 'a mapping', place, findings, () => asMapping(shape, place.path));
  }
  return checkFields(node, shape.fields, place, findings, checkShape);
}

function checkVariants(node: SourceNode, { by, variants }: VariantsShape, place: Place, findings: Findings): unknown {
  if (node.kind !== 'map') return invalidType(node, 'a mapping', place, findings);
  const entry = node.entries.find(({ key }) => key === by);
  const value = entry?.value;
  const named = value?.kind === 'scalar' && value.tag === 'string' ? value.text : null;
  const variant = named !== null && Object.hasOwn(variants, named) ? variants[named] : undefined;
  if (variant) return checkFields(node, variant.fields, place, findings, checkShape, variants);
  const at = { path: [...place.path, by], position: entry?.keyPosition ?? place.position };
  const names = either(Object.keys(variants));
  const message = value
    ? `\`${by}\` must be ${names}, but is ${kindOf(value)}.`
    : `\`${by}\` is missing. It must be ${names}.`;
  findings.add('schema.invalid_union', at, message, () => didYouMean(named, Object.keys(variants)));
  return undefined;
}
