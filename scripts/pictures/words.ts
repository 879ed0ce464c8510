/** Output of the programs in the screenshots. */
import { lots } from './clock.ts';

const chance = lots(23);

function pick<T>(among: readonly [T, ...T[]]): T {
  return among[Math.floor(chance() * among.length)] ?? among[0];
}

const between = (from: number, to: number) => Math.round(from + (to - from) * chance());

const COMMANDS: Record<string, { takes: number; exitCode: number; lines: readonly string[] }> = {
  'npm run migrate': {
    takes: 4_100,
    exitCode: 0,
    lines: [
      '> shop-web@2.15.0 migrate',
      '> node dist/migrate.js',
      '',
      'migrating database shop at db.internal:5432',
      '  20260309T1120_orders_add_channel      ok   184 ms',
      '  20260311T0915_carts_expire_index      ok  1612 ms',
      '2 migrations applied, 61 were there already',
    ],
  },
  'npm run warm-cache': {
    takes: 9_400,
    exitCode: 0,
    lines: ['> node dist/warm-cache.js', '', 'warmed 1,204 product pages in 9.1 s'],
  },
  'node dist/export-orders.js --day yesterday': {
    takes: 31_000,
    exitCode: 0,
    lines: ['exported 318 orders of 2026-03-11', 'uploaded orders-2026-03-11.csv (214 KB)'],
  },
  'node dist/check-stock.js': {
    takes: 2_300,
    exitCode: 1,
    lines: [
      'checking 1,204 articles',
      'article 40-1187: -3 in stock',
      'Error: 1 article has less than nothing in stock',
    ],
  },
};

/** Returns the output and the duration of a run. */
export function commandOf(command: readonly string[]) {
  return COMMANDS[command.join(' ')] ?? { takes: 900, exitCode: 0, lines: [] };
}

const dim = (text: string) => `\u001b[2m${text}\u001b[0m`;
const green = (text: string) => `\u001b[32m${text}\u001b[0m`;
const yellow = (text: string) => `\u001b[33m${text}\u001b[0m`;
const cyan = (text: string) => `\u001b[36m${text}\u001b[0m`;

const PAGES = [
  '/',
  '/products',
  '/products/linen-shirt',
  '/products/40-1187',
  '/cart',
  '/checkout',
  '/search?q=wool',
  '/assets/app.css',
] as const;

/** Returns a log line of the storefront, which writes a few lines per second. */
export function storefrontLine(): string {
  const drawn = chance();
  if (drawn < 0.05) return `WARN  slow query (${between(410, 890)} ms): select * from products where category = $1`;
  if (drawn < 0.075) return 'ERROR payment declined: card_expired (order 2026-0318-4471)';
  if (drawn < 0.16)
    return `{"level":"info","msg":"order placed","order":"2026-0312-${between(4_100, 4_999)}","items":${between(1, 6)},"total":"${between(19, 240)}.90 EUR"}`;
  if (drawn < 0.2) return `DEBUG cache hit ratio 0.${between(91, 98)} over the last minute`;
  const status = chance() < 0.05 ? yellow('404') : green('200');
  return `INFO  ${cyan(pick(['GET ', 'GET ', 'GET ', 'POST']))} ${pick(PAGES)} ${status} ${dim(`${between(4, 48)} ms`)}`;
}

/** Output of an image that crashes. */
export const CRASH = [
  { stream: 'stdout', line: 'shop-api 1.20.0 starting' },
  { stream: 'stdout', line: 'connecting to postgres://db.internal:5432/shop' },
  { stream: 'stderr', line: 'Error: column orders.channel does not exist' },
  { stream: 'stderr', line: '    at Parser.parseErrorMessage (/app/node_modules/pg-protocol/dist/parser.js:283:98)' },
  { stream: 'stderr', line: '    at async checkSchema (/app/dist/schema.js:41:3)' },
  { stream: 'stderr', line: 'fatal: the schema is older than this release: run the migrations first' },
] as const;
