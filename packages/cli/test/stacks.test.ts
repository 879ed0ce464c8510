/** Tests `davit up -f` with public Compose stacks, against a complete daemon with a simulated engine. */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { withDavit } from './support/davit.ts';

const STACKS = join(import.meta.dirname, '../../template/fixtures/stacks');

describe('davit up with a public Compose stack', () => {
  const on = withDavit();

  const stack = (name: string, inputs: readonly string[]) => {
    const answers = inputs.flatMap((key) => ['-i', `${key}=${key.toLowerCase()}.${name}.test`]);
    cpSync(join(STACKS, name), join(on.davit.folder, name), { recursive: true });
    return (words = answers) => on.davit.run(['up', '-f', `${name}/compose.yaml`, ...words]);
  };

  const CASES = {
    'elasticsearch-logstash-kibana': ['elasticsearchDomain', 'logstashDomain', 'logstashDomain9600', 'kibanaDomain'],
    'gitea-postgres': ['domain'],
    'nextcloud-postgres': ['domain'],
    'prometheus-grafana': ['prometheusDomain', 'grafanaDomain'],
    'wordpress-mysql': ['domain'],
  };
  for (const [name, inputs] of Object.entries(CASES))
    it(`installs ${name}, and changes nothing the second time`, async () => {
      const up = stack(name, inputs);

      const first = await up();

      assert.equal(first.code, 0, first.stderr);
      assert.ok(first.stdout.includes(`${inputs[0]?.toLowerCase()}.${name}.test`), first.stdout);
      const deployments = async () => {
        const apps = (await on.daemon.client.listApps()).filter(({ project }) => project === name);
        return apps.map(({ live_deployment: live }) => live);
      };
      const before = await deployments();
      for (const words of [undefined, []]) {
        const again = await up(words);
        assert.deepEqual([again.code, /nothing to do/.test(again.stdout)], [0, true], again.stderr + again.stdout);
      }
      assert.deepEqual(await deployments(), before);
    });

  it('gives an app variables whose names contain a dot', async () => {
    const name = 'elasticsearch-logstash-kibana';
    const { code, stderr } = await stack(name, CASES[name])();
    assert.equal(code, 0, stderr);
    const params = { project: name, environment: 'production', app: 'elasticsearch' };
    const { vars = {} } = await on.daemon.client.getAppEnv({ params });
    assert.equal(vars['discovery.type'], 'single-node');
  });

  it('runs a worker without a port', async () => {
    const name = 'with-worker';
    const services = 'web: { image: "acme/web:v1", ports: ["80:80"] }, worker: { image: "acme/web:v1", command: work }';
    await on.davit.write(`${name}/compose.yaml`, `services: { ${services} }`);
    const up = () => on.davit.run(['up', '-f', `${name}/compose.yaml`]);

    const { code, stderr } = await up();

    assert.equal(code, 0, stderr);
    const app = await on.daemon.client.getApp({ params: { project: name, environment: 'production', app: 'worker' } });
    assert.deepEqual([app.port, app.status], [null, 'running']);
    assert.match((await up()).stdout, /nothing to do/);

    const later = services.replace('command: work', 'command: work, expose: ["9000"]');
    await on.davit.write(`${name}/compose.yaml`, `services: { ${later} }`);
    assert.equal((await up()).code, 0);
    const changed = await on.daemon.client.getApp({
      params: { project: name, environment: 'production', app: 'worker' },
    });
    assert.equal(changed.port, 9000);
  });

  it('updates the stack if an input changes', async () => {
    const name = 'changed-input';
    await on.davit.write(`${name}/compose.yaml`, 'services: { web: { image: "acme/web:v1", ports: ["80:80"] } }');
    const up = (host: string) => on.davit.run(['up', '-f', `${name}/compose.yaml`, '-i', `domain=${host}`]);
    assert.match((await up('one.example.com')).stdout, /one\.example\.com/);
    assert.match((await up('two.example.com')).stdout, /two\.example\.com/);
  });
});
