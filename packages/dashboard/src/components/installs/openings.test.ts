import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { App, InstallStatus } from '@davit/api';
import { openingsOf } from './openings.ts';

const INSTANCE = { ports: { http: 80, https: 443 }, domain: 'davit.test' } as Parameters<typeof openingsOf>[3];
const app = (name: string, more: Partial<App>) =>
  ({
    ...{ name, reference: `shop/production/${name}`, port: 80, domains: [], tcp_ports: [], status: 'running' },
    ...{ suggested_host: `${name}.davit.test`, internal_host: `${name}.internal` },
    ...more,
  }) as App;

it('returns URLs only for the installation’s own apps with a port', () => {
  const made = (name: string) => ({
    ...{ kind: 'app' as const, key: name, name, reference: `shop/production/${name}`, state: 'made' as const },
  });
  const install = { status: 'installed' as InstallStatus, resources: [made('web'), made('worker')] };
  const domains = [{ host: 'shop.example.com', redirect_to: null, https: 'auto' }] as App['domains'];
  const apps = [app('web', {}), app('worker', { port: null }), app('other', {})];
  assert.deepEqual(openingsOf(install, apps, [], INSTANCE), [
    { app: 'web', url: 'http://web.davit.test/', isUp: true },
  ]);
  const active = [{ hosts: ['shop.example.com'], status: 'active' as const }];
  const [named] = openingsOf(install, [app('web', { domains, status: 'down' })], active, INSTANCE);
  assert.deepEqual(named, { app: 'web', url: 'https://shop.example.com/', isUp: false });
});
