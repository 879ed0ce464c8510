import fc from 'fast-check';
import type { Field, ListShape, ObjectShape, Shape, TextShape } from '../../src/schema/shape.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Texts that are valid for almost all text fields of the format. */
const FITTING = fc.constantFrom('a', 'web', 'db1', 'a-b');

/** Values just inside and just outside the limits of the format. */
const CORNERS: Json[] = [
  ...[null, true, false, 0, -0, 1, 2, -1, 1.5, 3, 1e3, 1e21, 1e-7, 1023, 1024, 3600, 3601, 65535, 65536],
  ...[
    '',
    ' ',
    'a',
    ' a',
    'a ',
    'A_',
    '1',
    '1.0',
    '017',
    '0644',
    '0x10',
    '2024-01-01',
    'true',
    'null',
    '~',
    'a\nb',
    'a\tb',
  ],
  ...[
    '-a',
    'a-',
    'é',
    'x'.repeat(100),
    'x'.repeat(101),
    '😀'.repeat(100),
    '😀'.repeat(101),
    '\u0085a',
    '\ufeffa',
    'a: b',
  ],
  ...[
    'domain',
    'secret',
    'hex',
    'dockerfile',
    'always',
    '${input.a}',
    '# x',
    '*a',
    '&a',
    '<<',
    '- a',
    '{',
    '"',
    "'",
    '\\',
  ],
  ...[
    [],
    {},
    [[]],
    [{}],
    ['a'],
    ['a', 'b'],
    [''],
    [null],
    { a: 'b' },
    { key: 'a' },
    { a: null },
    { a: [] },
    { '1a': 'x' },
  ],
];

/** Generates any value that is valid for the shape. */
export function fitting(shape: Shape): fc.Arbitrary<Json> {
  switch (shape.is) {
    case 'text':
      return fittingText(shape);
    case 'integer':
      return fc.integer({ min: shape.min ?? -10, max: shape.max ?? 100_000 });
    case 'number':
      return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case 'boolean':
      return fc.boolean();
    case 'one':
      return fc.constant(1);
    case 'amount':
      return fc.constantFrom<Json>('1Gi', 512, 1.5);
    case 'hostPort':
      return fc.constantFrom<Json>(2222, '2222', '${input.a}');
    case 'variables':
      return fc.dictionary(
        fc.constantFrom('A', 'b_1', '__proto__', 'toString'),
        fc.constantFrom<Json>('', 'a', 1.5, true),
      );
    case 'list':
      return fittingList(shape);
    case 'object':
      return fittingObject(shape);
    case 'variants':
      return fc.oneof(...Object.values(shape.variants).map(fittingObject));
  }
}

function fittingList({ of, first, min = 0 }: ListShape): fc.Arbitrary<Json> {
  if (first === undefined) return fc.array(fitting(of), { minLength: min, maxLength: min + 1 });
  return fc.tuple(fitting(first), fc.array(fitting(of), { maxLength: 1 })).map(([one, more]) => [one, ...more]);
}

function fittingText({ oneOf, form, mayBeEmpty }: TextShape): fc.Arbitrary<Json> {
  if (oneOf) return fc.constantFrom(...oneOf);
  if (form?.pattern.startsWith('^0')) return fc.constantFrom('0644', '0755');
  if (form) return FITTING;
  return fc.oneof(FITTING, fc.string({ minLength: mayBeEmpty ? 0 : 1, maxLength: 5, unit: 'binary' }));
}

function fittingObject({ fields }: ObjectShape): fc.Arbitrary<Json> {
  const arbitraries = Object.entries(fields).map(([key, field]) => [key, maybe(field)] as const);
  return fc.record(Object.fromEntries(arbitraries)).map(withoutAbsent);
}

/** Generates a value for a key. About half of the optional keys are absent. */
function maybe({ shape, required }: Field): fc.Arbitrary<Json | undefined> {
  return required ? fitting(shape) : fc.option(fitting(shape), { nil: undefined, freq: 2 });
}

function withoutAbsent(record: Record<string, Json | undefined>): Json {
  return Object.fromEntries(Object.entries(record).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

/** Change of one location in a value. The result may be valid or invalid. */
export interface Mutation {
  /** Position of the changed location in the list of all locations, from 0 to 1. */
  where: number;
  how: 'swap' | 'replace' | 'remove' | 'rename' | 'add' | 'repeat';
  corner: Json;
  /** For `swap`: position of the new value in the list of values of the same type, from 0 to 1. */
  which: number;
}

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  where: part(),
  which: part(),
  how: fc.constantFrom('swap', 'swap', 'swap', 'swap', 'replace', 'remove', 'remove', 'rename', 'add', 'repeat'),
  corner: fc.oneof(fc.constantFrom(...CORNERS), fc.string({ unit: 'binary', maxLength: 6 })),
});

/**
 * Generates numbers from 0 to 1 without a preference for small numbers, which would always select the first location.
 */
function part(): fc.Arbitrary<number> {
  return fc.noBias(fc.nat(9_999)).map((n) => n / 10_000);
}

/** Returns a copy with one change. */
export function mutate(value: Json, { where, how, corner, which }: Mutation): Json {
  const copy = structuredClone(value);
  const locations = locationsOf(copy);
  const location = locations[Math.floor(where * locations.length)];
  if (!location) return corner;
  const { owner, key } = location;
  const old = Array.isArray(owner) ? owner[Number(key)] : owner[key];
  if (how === 'swap') {
    const alike = CORNERS.filter((each) => typeof each === typeof old && Array.isArray(each) === Array.isArray(old));
    set(owner, key, alike[Math.floor(which * alike.length)] ?? null);
  } else if (Array.isArray(owner)) mutateList(owner, Number(key), how, corner);
  else mutateObject(owner, key, how, corner);
  return copy;
}

function mutateList(owner: Json[], at: number, how: Mutation['how'], corner: Json): void {
  if (how === 'remove') owner.splice(at, 1);
  else owner.splice(at, how === 'replace' ? 1 : 0, how === 'repeat' ? structuredClone(owner[at] ?? null) : corner);
}

function mutateObject(owner: { [key: string]: Json }, key: string, how: Mutation['how'], corner: Json): void {
  if (how === 'replace' || how === 'repeat') set(owner, key, corner);
  else if (how === 'add') set(owner, typeof corner === 'string' ? corner : 'constructor', owner[key] ?? null);
  else {
    if (how === 'rename') set(owner, `${key}s`, owner[key] ?? null);
    delete owner[key];
  }
}

type ValueLocation = { owner: Json[] | { [key: string]: Json }; key: string };

function locationsOf(value: Json): ValueLocation[] {
  if (value === null || typeof value !== 'object') return [];
  const own = Object.keys(value).map((key): ValueLocation => ({ owner: value, key }));
  return [...own, ...Object.values(value).flatMap(locationsOf)];
}

/** Sets an own property, also for a key such as `__proto__`. */
function set(owner: Json[] | { [key: string]: Json }, key: string, value: Json): void {
  Object.defineProperty(owner, key, { value, enumerable: true, configurable: true, writable: true });
}
