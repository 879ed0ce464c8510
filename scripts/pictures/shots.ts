/** All screenshots: the page, its state, and the content that must be visible before the screenshot. */
import type { Authorization } from '@davit/api';
import type { Page } from 'playwright-core';
import type { InstanceName } from './grounds.ts';

export const LOOKS = {
  wide: { viewport: { width: 1_440, height: 900 }, colorScheme: 'light' },
  narrow: { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  dark: { viewport: { width: 1_440, height: 900 }, colorScheme: 'dark' },
  /** Screenshot in the README. */
  hero: { viewport: { width: 1_280, height: 860 }, colorScheme: 'light', deviceScaleFactor: 1.5 },
} as const;
export type Look = keyof typeof LOOKS;

export interface Shot {
  name: string;
  path: string;
  /** Name of the instance. Default: `company`. */
  ground?: InstanceName;
  signedIn?: false;
  /** Sizes and color schemes. Default: wide, phone and dark. */
  looks?: readonly Look[];
  /** Simulated response of the instance for a request that would need the internet. */
  answers?: { path: string; answer: object };
  /** Whether the page shows the refusal of a request. */
  isRefused?: true;
  /** Actions on the page before the screenshot. */
  before?: (page: Page) => Promise<unknown>;
}

const WIDE: readonly Look[] = ['wide'];
export const USUAL: readonly Look[] = ['wide', 'narrow', 'dark'];
const WEB = '/projects/shop/production/web';
const UMAMI = '/templates/davit-examples/umami-template';
const MAIN = '/databases/shop/production/main';
const STAGED = '/projects/shop/staging/web';

const shows = (text: string) => (page: Page) => page.getByText(text).first().waitFor();
const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click();

/** Simulated response for a program that requests access. */
const ACCESS_REQUEST = {
  path: '/api/oauth/review',
  answer: {
    client: { id: 'https://claude.ai/oauth/client.json', name: 'Claude Code', host: 'claude.ai' },
    ...{ redirect_host: 'localhost', on_this_machine: true },
    ...{ role: 'member', roles: ['viewer', 'member', 'admin'], projects: ['blog', 'shop', 'tools'] },
  } satisfies Authorization,
} as const;

/**
 * Returns all screenshots.
 * @param ids numbers of the deployments that are shown
 */
export function shotsOf(ids: { succeeded: number; failed: number; running: number }): Shot[] {
  return [
    // This screenshot comes before the visits below, because the audit log would contain them.
    { name: 'audit', path: '/audit' },
    { name: 'claim', path: '/claim', ground: 'new', signedIn: false },
    { name: 'sign-in', path: '/sign-in', signedIn: false },
    { name: 'help', path: '/help/solve-common-problems', signedIn: false },
    { name: 'overview', path: '/' },
    { name: 'overview-empty', path: '/', ground: 'empty' },
    { name: 'palette', path: WEB, looks: ['wide', 'dark'], before: openPalette },
    { name: 'projects', path: '/projects' },
    { name: 'projects-new', path: '/projects?new=project', looks: WIDE },
    { name: 'project', path: '/projects/shop' },
    { name: 'project-settings', path: '/projects/shop/settings' },
    { name: 'environment', path: '/projects/shop/production' },
    { name: 'environment-promote', path: '/projects/shop/production?promote=1', looks: WIDE },
    { name: 'environment-settings', path: '/projects/shop/production/settings' },
    { name: 'databases', path: '/databases', ground: 'data' },
    { name: 'databases-empty', path: '/databases', ground: 'empty', looks: WIDE },
    { name: 'databases-new', path: '/databases?new=database', ground: 'data', before: shows('This machine makes') },
    { name: 'databases-trash', path: '/databases?tab=trash', ground: 'data', looks: WIDE },
    { name: 'database', path: MAIN, ground: 'data' },
    { name: 'database-backups', path: `${MAIN}?tab=backups`, ground: 'data' },
    { name: 'database-settings', path: `${MAIN}?tab=settings`, ground: 'data', looks: WIDE },
    { name: 'backups', path: '/backups', ground: 'data' },
    { name: 'object-stores', path: '/object-stores', ground: 'data', looks: WIDE },
    { name: 'object-store', path: '/object-stores/files', ground: 'data' },
    { name: 'object-store-new', path: '/object-stores?new=object-store', ground: 'data', looks: WIDE },
    {
      name: 'object-store-link',
      path: '/object-stores?new=link',
      ground: 'data',
      looks: WIDE,
      before: shows('Secret key'),
    },
    { name: 'tasks', path: '/tasks', ground: 'data' },
    { name: 'app', path: WEB, looks: [...USUAL, 'hero'] },
    { name: 'app-never-deployed', path: '/projects/blog/production/newsletter' },
    { name: 'app-deploying', path: STAGED, looks: WIDE },
    { name: 'app-deploy', path: `${WEB}?deploy=1&tag=2.15.1`, before: shows('What will be done') },
    { name: 'app-rollback', path: `${WEB}?rollback=previous`, looks: WIDE, before: shows('What will be done') },
    { name: 'deployments', path: `${WEB}/deployments` },
    { name: 'deployment', path: `${WEB}/deployments/${ids.succeeded}` },
    { name: 'deployment-failed', path: `/projects/shop/production/api/deployments/${ids.failed}` },
    { name: 'deployment-running', path: `${STAGED}/deployments/${ids.running}`, looks: WIDE },
    { name: 'logs', path: `${WEB}/logs` },
    { name: 'logs-filtered', path: `${WEB}/logs?level=warn`, looks: WIDE },
    { name: 'terminal', path: `${WEB}/terminal` },
    { name: 'terminal-run', path: `${WEB}/terminal?tab=run` },
    { name: 'terminal-schedules', path: `${WEB}/terminal?tab=schedules` },
    { name: 'variables', path: `${WEB}/environment` },
    { name: 'app-settings', path: `${WEB}/settings` },
    { name: 'app-settings-health', path: `${WEB}/settings?section=health`, looks: WIDE },
    { name: 'app-settings-resources', path: `${WEB}/settings?section=resources`, looks: WIDE },
    { name: 'app-settings-domains', path: `${WEB}/settings?section=domains` },
    { name: 'app-settings-files', path: `${WEB}/settings?section=files`, looks: WIDE, before: addFile },
    { name: 'app-settings-revisions', path: `${WEB}/settings?section=revisions`, looks: WIDE },
    { name: 'app-settings-danger', path: `${WEB}/settings?section=danger`, looks: WIDE },
    { name: 'templates', path: '/templates', ground: 'templates', before: shows('Uptime Kuma') },
    {
      name: 'templates-empty',
      path: '/templates',
      ground: 'empty',
      isRefused: true,
      before: shows('The catalog cannot be shown'),
    },
    {
      name: 'templates-compose',
      path: '/templates?new=compose',
      ground: 'templates',
      looks: WIDE,
      before: readCompose,
    },
    { name: 'template', path: UMAMI, ground: 'templates' },
    {
      name: 'template-install',
      path: `${UMAMI}?tab=install`,
      ground: 'templates',
      before: shows('umami/production/web'),
    },
    { name: 'template-releases', path: `${UMAMI}?tab=releases`, ground: 'templates', looks: WIDE },
    { name: 'installs', path: '/installs', ground: 'templates' },
    { name: 'installs-empty', path: '/installs', ground: 'empty', looks: WIDE },
    { name: 'install', path: '/installs/1?run=1', ground: 'templates' },
    {
      name: 'install-update',
      path: '/installs/1?update=1',
      ground: 'templates',
      looks: WIDE,
      before: shows('changes'),
    },
    { name: 'registry', path: '/registry' },
    { name: 'registry-images', path: '/registry?tab=images', looks: WIDE },
    { name: 'registry-credentials', path: '/registry?tab=credentials', looks: WIDE },
    { name: 'registry-volumes', path: '/registry?tab=volumes', looks: WIDE },
    { name: 'certificates', path: '/certificates' },
    { name: 'certificates-authority', path: '/certificates?tab=authority', looks: WIDE },
    { name: 'users', path: '/users' },
    { name: 'user', path: '/users/grace' },
    { name: 'settings', path: '/settings' },
    { name: 'settings-about', path: '/settings?section=about', looks: WIDE },
    { name: 'account', path: '/account' },
    {
      name: 'authorize',
      path: '/oauth/authorize?client_id=https://claude.ai/oauth/client.json',
      answers: ACCESS_REQUEST,
    },
  ];
}

const COMPOSE = `name: shop
services:
  web:
    image: ghcr.io/example/shop:2.4
    ports: ["8080:8080"]
    privileged: true
    environment:
      DATABASE_URL: postgres://shop:secret@db:5432/shop
  db:
    image: postgres:17
`;

async function addFile(page: Page): Promise<void> {
  await press('Add a file')(page);
  await page.getByRole('textbox', { name: 'Path of file 1' }).fill('/etc/shop/config.yaml');
  await page.getByRole('textbox', { name: 'What file 1 holds' }).fill('currency: EUR\nbasket:\n  most_items: 40\n');
}

async function readCompose(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Compose file' }).fill(COMPOSE);
  await press('Look at what can be carried')(page);
  await shows('not carried')(page);
}

async function openPalette(page: Page): Promise<void> {
  await press('Go to…')(page);
  await page.getByRole('combobox', { name: 'Go to' }).fill('web');
}
