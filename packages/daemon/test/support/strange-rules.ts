/** Generator of hostile rules for hosts. The proxy has to accept most of them. */
import fc from 'fast-check';
import type { RouteRules } from '../../src/adapters/proxy/proxy.ts';

const SYNTAX = [
  '\n',
  '\r\n',
  '\0',
  '"',
  "'",
  '%[src]',
  '\\',
  ';',
  '<<',
  '$' + '{HOME}',
  '#',
  '|',
  '=',
  '&',
  ' ',
  '%0a',
  '<b>',
];
const text = fc
  .array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...SYNTAX)), { maxLength: 4 })
  .map((parts) => parts.join(''));
const printable = fc
  .array(fc.oneof(fc.string(), fc.constantFrom(...SYNTAX.filter((part) => /^[ -~]*$/.test(part)))), { maxLength: 4 })
  .map((parts) => parts.join(''));
/** Generates the usual values, and sometimes values that must be refused. */
const rarely = <T>(usual: fc.Arbitrary<T>, strange: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: usual, weight: 20 }, { arbitrary: strange, weight: 1 });
const hash = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 });

export const strangeRules: fc.Arbitrary<RouteRules> = fc.record({
  httpsOnly: fc.boolean(),
  hsts: fc.option(rarely(printable, text)),
  redirectTo: fc.option(
    rarely(
      fc.domain().map((domain) => domain.toLowerCase()),
      text,
    ),
  ),
  basicAuth: fc.option(
    fc.record({ salt: rarely(printable, text), hashes: fc.array(rarely(hash, text), { maxLength: 5 }) }),
  ),
  allow: fc.array(
    rarely(
      fc.oneof(
        fc.ipV4(),
        fc.ipV6(),
        fc.ipV4().map((address) => `${address}/8`),
      ),
      text,
    ),
    { maxLength: 5 },
  ),
  requestsPerMinute: fc.option(rarely(fc.integer({ min: 1, max: 1_000 }), fc.double())),
  maintenance: fc.option(rarely(printable, text)),
  headers: fc.dictionary(rarely(fc.constantFrom('x-a', 'X-B', 'content-type'), text), rarely(printable, text), {
    maxKeys: 4,
  }),
});
