/** Apps of the example company in the screenshots. */

export interface PicturedApp {
  reference: string;
  settings?: Record<string, unknown>;
  /** Tags that are deployed one after another in the first weeks, oldest first. */
  tags: readonly string[];
  /** Average number of requests per second. Not set if the app gets no requests. */
  asked?: number;
  /** Use of one replica: percent of a core, and MiB of memory. */
  uses: readonly [cpu: number, memory: number];
}

const MIB = 1024 ** 2;

export const APPS: readonly PicturedApp[] = [
  {
    reference: 'shop/production/web',
    settings: {
      scale: 3,
      health: { path: '/healthz' },
      limits: { cpu: 1, memory_bytes: 512 * MIB },
      labels: { team: 'storefront', tier: 'front' },
    },
    tags: ['2.9.0', '2.10.0', '2.10.1', '2.11.0', '2.12.0', '2.13.0'],
    asked: 46,
    uses: [11, 148],
  },
  {
    reference: 'shop/production/api',
    settings: { scale: 2, health: { path: '/healthz' }, limits: { memory_bytes: 768 * MIB } },
    tags: ['1.16.0', '1.17.0', '1.18.2'],
    asked: 88,
    uses: [19, 231],
  },
  { reference: 'shop/production/worker', settings: { port: null }, tags: ['1.17.0', '1.18.2'], uses: [7, 118] },
  { reference: 'shop/production/search', settings: { scale: 2 }, tags: ['0.12.3'], asked: 14, uses: [9, 412] },
  { reference: 'shop/staging/web', tags: ['2.13.0', '2.14.0'], asked: 0.6, uses: [2, 131] },
  { reference: 'shop/staging/api', tags: ['1.18.2', '1.19.0'], asked: 0.4, uses: [2, 187] },
  { reference: 'blog/production/site', tags: ['2026-01-30', '2026-02-18'], asked: 5, uses: [1.4, 64] },
  { reference: 'blog/production/comments', tags: ['3.2.1'], asked: 1, uses: [0.8, 72] },
  { reference: 'blog/production/newsletter', tags: [], uses: [0, 0] },
  { reference: 'tools/production/wiki', tags: ['7.4'], asked: 0.8, uses: [1.1, 203] },
  { reference: 'tools/production/metrics', tags: ['12.1.0'], asked: 0.3, uses: [2.2, 156] },
  { reference: 'tools/production/uptime', settings: { port: null }, tags: ['2.0.2'], uses: [0.6, 88] },
];

/** Apps that are pushed to the instance's registry. The images of the others come from an external registry. */
export const PUSHED = ['blog/production/site', 'tools/production/wiki'] as const;

export const PEOPLE = [
  { username: 'grace', role: 'member', projects: ['shop'] },
  { username: 'edsger', role: 'member', projects: ['blog', 'tools'] },
  { username: 'margaret', role: 'viewer', projects: null },
  { username: 'pipeline', role: 'member', projects: ['shop'] },
] as const;

export const ADA = { username: 'ada', password: 'correct horse battery' } as const;

export const VARIABLES = {
  project: { REGION: 'eu-central', LOG_LEVEL: 'info', CURRENCY: 'EUR' },
  environment: {
    LOG_LEVEL: 'warn',
    ASSETS_URL: 'https://assets.example.com',
    SENTRY_DSN: 'https://7f3c@errors.example.com/4',
  },
  app: {
    DATABASE_URL: 'postgres://web:nobody-reads-this@db.internal:5432/shop',
    SESSION_SECRET: 'nobody-reads-this-either',
    FEATURE_CHECKOUT_V2: 'on',
    LOG_LEVEL: 'debug',
    PUBLIC_URL: 'https://shop.example.com',
  },
} as const;

export function pathOf(reference: string) {
  const [project = '', environment = '', app = ''] = reference.split('/');
  return { project, environment, app };
}

export function imageOf(reference: string): string {
  const { project, app } = pathOf(reference);
  return `ghcr.io/example/${project}-${app}`;
}

export function isPushed(reference: string): boolean {
  return PUSHED.some((one) => one === reference);
}
