/** Instances for the screenshots, each with its own host name in the browser. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN, bootDaemon, cookieOf, seed, seedData, signIn, type TestDaemon } from '@davit/testkit';
import { type Browser, chromium } from 'playwright-core';
import { ADA, pathOf } from './company.ts';
import { pictureMachine } from './past-hour.ts';
import { bootStory, NOW } from './story.ts';
import { bootTemplates } from './templates.ts';

/** Name of an instance: not claimed, empty, with the example company, with templates, or with databases. */
export type InstanceName = 'new' | 'empty' | 'company' | 'templates' | 'data';

export interface PicturedInstance {
  url: string;
  /** Name and value of the session cookie, or null if no user is signed in. */
  cookie: { name: string; value: string } | null;
}

export interface PicturedInstances extends AsyncDisposable {
  browser: Browser;
  of(name: InstanceName): PicturedInstance;
  /** Returns the numbers of the deployments that have a screenshot. */
  deployments(): Promise<{ succeeded: number; failed: number; running: number }>;
}

const HOSTS: Record<InstanceName, string> = {
  company: 'example.org',
  data: 'data.example.org',
  empty: 'davit.example.net',
  new: 'davit.example.com',
  templates: 'davit.example.org',
};

/**
 * Starts the instances.
 * @param built folder with the built dashboard. A copy is served, because the dashboard may be built again in the
 * meantime.
 */
export async function openInstances(built: string): Promise<PicturedInstances> {
  await using cleanup = new AsyncDisposableStack();
  const dashboard = await mkdtemp(join(tmpdir(), 'davit-pictures-'));
  cleanup.defer(() => rm(dashboard, { recursive: true, force: true }));
  await cp(built, dashboard, { recursive: true });
  const boot = (name: InstanceName, claim: boolean) =>
    bootDaemon({ dashboard, claim, now: () => NOW, settings: { domain: HOSTS[name] } }).then((daemon) =>
      cleanup.use(daemon),
    );
  const company = cleanup.use(await bootStory({ dashboard }));
  const { daemon: templates, catalog } = await bootTemplates(dashboard, HOSTS.templates);
  cleanup.use(catalog);
  cleanup.use(templates);
  const daemons = {
    company,
    templates,
    empty: await boot('empty', true),
    new: await boot('new', false),
    data: await boot('data', true),
  };
  await seed(daemons.data);
  await seedData(daemons.data);
  // This instance looks like one with a real engine on which nothing runs yet.
  Object.assign(daemons.empty.engine.capabilities, { simulated: false });
  pictureMachine(daemons.empty, 0.06);
  const cookies = {
    company: await cookie(company, ADA),
    empty: await cookie(daemons.empty, ADMIN),
    templates: await cookie(templates, ADMIN),
    data: await cookie(daemons.data, ADMIN),
    new: null,
  };
  const names = Object.keys(HOSTS) as InstanceName[];
  const rules = names.map((name) => `MAP ${HOSTS[name]} ${new URL(daemons[name].url).host}`).join(', ');
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', `--host-resolver-rules=${rules}`],
  });
  cleanup.defer(() => browser.close());
  const opened = cleanup.move();
  return {
    browser,
    of: (name) => ({ url: `http://${HOSTS[name]}`, cookie: cookies[name] }),
    deployments: () => deploymentsOf(company),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function cookie(daemon: TestDaemon, account: typeof ADA | typeof ADMIN) {
  const text = cookieOf(await signIn(daemon, account));
  const equals = text.indexOf('=');
  return { name: text.slice(0, equals), value: text.slice(equals + 1) };
}

async function deploymentsOf({ client }: TestDaemon) {
  const newest = async (reference: string) => {
    const [deployment] = await client.listDeployments({ params: pathOf(reference) });
    return deployment?.id ?? 0;
  };
  return {
    succeeded: await newest('shop/production/web'),
    failed: await newest('shop/production/api'),
    running: await newest('shop/staging/web'),
  };
}
