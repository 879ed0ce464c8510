/** The instance in the screenshots of templates: its catalog and its installations. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lookForNewer } from '@davit/daemon/resources/templates/install/newer.ts';
import { checkTemplate } from '@davit/template';
import { bootDaemon, type TestDaemon } from '@davit/testkit';
import { bootCatalog, type GivenTemplate, type TestCatalog } from '@davit/testkit/catalog';
import { EXAMPLES } from '../example-catalog.ts';
import { NOW } from './story.ts';

const DAY = 24 * 60 * 60_000;
const KUMA = { owner: 'davit-examples', name: 'cubeship-uptime-kuma-template' };
const VAULT = { owner: 'davit-community', name: 'vaultwarden-template' };

/** Returns the examples as if they had been published in the previous weeks. */
function listed(): GivenTemplate[] {
  const folders = (path: string) =>
    readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  const names = folders(EXAMPLES).flatMap((owner) => folders(join(EXAMPLES, owner)).map((name) => ({ owner, name })));
  return names.map(({ owner, name }, at) => {
    const folder = join(EXAMPLES, owner, name);
    const { id, stars, topics, description } = JSON.parse(readFileSync(join(folder, 'repository.json'), 'utf8'));
    const releases = folders(folder).flatMap((tag, nth) => {
      const read = (file: string) => readFileSync(join(folder, tag, file));
      const source = read('template.yaml').toString();
      const { manifest } = checkTemplate(source);
      const published = new Date(NOW - (2 + at * 5) * DAY + (nth - 1) * 9 * DAY).toISOString().replace('.000Z', 'Z');
      // One of the examples has an intentional mistake, which the catalog shows.
      if (manifest === null) return [];
      return [
        { tag, source, manifest, publishedAt: published, readme: read('README.md').toString(), icon: read('icon.png') },
      ];
    });
    return { id, owner, name, stars, topics, description, releases: releases.reverse() };
  });
}

/** Starts the instance with its history. The caller must dispose both, the daemon first. */
export async function bootTemplates(
  dashboard: string,
  domain: string,
): Promise<{ daemon: TestDaemon; catalog: TestCatalog }> {
  const catalog = await bootCatalog({ settings: { verifiedOwners: 'davit-examples' } });
  catalog.add(...listed());
  const settings = { domain, catalogUrl: catalog.url, httpPort: '80', httpsPort: '443' };
  const daemon = await bootDaemon({ dashboard, now: () => NOW, settings });
  Object.assign(daemon.engine.capabilities, { simulated: false });
  await installed(daemon, KUMA, { release: 'v1.0.0', inputs: { domain: 'status.example.com' } });
  await installed(daemon, VAULT, { inputs: { domain: 'vault.example.com' } });
  await lookForNewer(daemon.core, AbortSignal.timeout(10_000));
  return { daemon, catalog };
}

async function installed({ client }: TestDaemon, params: typeof KUMA, body: object): Promise<void> {
  const task = await client.installTemplate({ params, query: { wait: 'true' }, body });
  if ('status' in task && task.status !== 'succeeded') throw new Error(`install ${params.name}: ${task.error}`);
}
