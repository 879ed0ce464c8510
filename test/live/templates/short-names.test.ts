/**
 * Services of a Compose file whose image contains the name of another service. The services run in their own network of
 * a real engine.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { customImage } from '../../support/docker-images.ts';
import { done } from '../../support/live-database.ts';
import { LiveHarness, whyNoEngine } from '../../support/live-harness.ts';

const PROJECT = 'composed';
const PAGE = '/cgi-bin/index.cgi';
const SCRIPT = '#!/bin/sh\necho "Content-Type: text/plain"\necho\nexec wget -qO- http://back_end:8080/\n';
const MAKE = `mkdir -p /www/cgi-bin && printf %s '${SCRIPT}' > /www${PAGE} && chmod 755 /www${PAGE}`;

describe('a Compose file on a real engine', { skip: whyNoEngine() ?? false }, () => {
  let harness: LiveHarness;
  let frontend: string;

  before(async () => {
    harness = await LiveHarness.create();
    frontend = await customImage(harness.docker, 'live-frontend', [
      `RUN ${JSON.stringify(['sh', '-c', MAKE])}`,
      'EXPOSE 8080',
      `CMD ${JSON.stringify(['sh', '-c', 'exec httpd -f -p 8080 -h /www'])}`,
    ]);
  });
  after(() => harness?.[Symbol.asyncDispose]());

  /** Installs services from a Compose file, and returns the page of the service `frontend`. */
  async function pageOf(environment: string, services: Record<string, string>): Promise<string> {
    const { client } = harness;
    const lines = Object.entries(services).map(([name, image]) => `  ${name}: { image: "${image}", expose: [8080] }\n`);
    const compose = `services:\n${lines.join('')}`;
    const { template: file } = await client.importTemplate({ body: { compose, project: PROJECT } });
    await done(client.installTemplateFile({ query: { wait: 'true' }, body: { source: { file }, environment } }));
    const app = await client.getApp({ params: { project: PROJECT, environment, app: 'frontend' } });
    return (await harness.get(app.suggested_host, PAGE)).text;
  }

  it('lets a service reach another by the name in the file, but not from another environment', async () => {
    const whole = await pageOf('production', { frontend, back_end: `${harness.image}:v1` });
    const alone = await pageOf('staging', { frontend });

    assert.match(whole, /^v1 davit-/);
    assert.doesNotMatch(alone, /v1/);
  });
});
