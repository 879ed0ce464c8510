import { VARIABLE } from './forms.ts';
import {
  type Field,
  INTEGER_BOUND,
  type IntegerShape,
  type ObjectShape,
  type Shape,
  type TextShape,
  type VariantsShape,
} from './shape.ts';
import { TEMPLATE } from './template.ts';

export const SCHEMA_ID = 'https://davit.dev/schema/template/v1.json';

export type JsonSchema = Record<string, unknown>;

/**
 * Returns the template format as JSON Schema (draft 2020-12). The schema checks keys and types. It does not check
 * references between the parts of a template.
 */
export function templateSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: SCHEMA_ID,
    title: 'Davit template',
    description: 'Template of apps: inputs, databases, object stores, apps and jobs.',
    ...ofObject(TEMPLATE),
  };
}

function schemaOf(shape: Shape): JsonSchema {
  switch (shape.is) {
    case 'text':
      return ofText(shape);
    case 'integer':
      return ofInteger(shape);
    case 'list':
      return {
        type: 'array',
        ...(shape.first && { prefixItems: [schemaOf(shape.first)] }),
        items: schemaOf(shape.of),
        ...given('minItems', shape.min),
      };
    case 'object':
      return ofObject(shape);
    case 'variants':
      return ofVariants(shape);
    case 'number':
    case 'boolean':
      return { type: shape.is };
    case 'one':
      return { const: 1 };
    case 'amount':
      return { type: ['string', 'number'] };
    case 'hostPort':
      return { type: ['integer', 'string'], minimum: 1024, maximum: 65535, minLength: 1 };
    case 'variables':
      return {
        type: 'object',
        propertyNames: { pattern: VARIABLE.pattern },
        additionalProperties: { type: ['string', 'number', 'boolean'] },
      };
  }
}

function ofText({ mayBeEmpty, form, oneOf, suggests }: TextShape): JsonSchema {
  if (oneOf) return oneOf.length === 1 ? { const: oneOf[0] } : { enum: [...oneOf] };
  const any = {
    type: 'string',
    ...(mayBeEmpty || form ? {} : { minLength: 1 }),
    ...(form ? { pattern: form.pattern } : {}),
    ...given('maxLength', form?.maxLength),
  };
  // Code editors suggest the values in `enum`. Other values are also valid, so an alternative schema allows any text.
  return suggests ? { anyOf: [{ enum: [...suggests] }, any] } : any;
}

function ofInteger({ min, max, orNull }: IntegerShape): JsonSchema {
  return {
    type: orNull ? ['integer', 'null'] : 'integer',
    ...(min === undefined ? { exclusiveMinimum: -INTEGER_BOUND } : { minimum: min }),
    ...(max === undefined ? { exclusiveMaximum: INTEGER_BOUND } : { maximum: max }),
  };
}

function ofObject({ fields }: ObjectShape): JsonSchema {
  const entries = Object.entries(fields);
  const names = entries.filter(([, field]) => field.required).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, ofField(field)])),
    ...(names.length > 0 ? { required: names } : {}),
    additionalProperties: false,
  };
}

function ofField({ shape, about, example }: Field): JsonSchema {
  return { description: about, ...schemaOf(shape), ...(example === undefined ? {} : { examples: [example] }) };
}

function ofVariants({ variants }: VariantsShape): JsonSchema {
  return { type: 'object', oneOf: Object.values(variants).map(ofObject) };
}

function given(keyword: string, value: number | undefined): JsonSchema {
  return value === undefined ? {} : { [keyword]: value };
}
