/**
 * HAProxy from the adapter's image with a manual configuration: the peer of the comparison, and the app behind both
 * proxies.
 */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@davit/testkit/ports';
import { until } from '@davit/testkit/waiting';
import { ensureProxyImage } from '../../packages/daemon/src/adapters/proxy/haproxy/image.ts';
import type { ProxyHarness } from '../../test/support/proxy-harness.ts';

export interface Plain {
  port: number;
}

/** Starts HAProxy with a typical manual configuration for one app with a certificate. */
export async function startPeer(harness: ProxyHarness, appPort: number, pem: string): Promise<Plain> {
  const port = await freePort();
  const config = `defaults
  mode http
  timeout connect 3s
  timeout client 60s
  timeout server 60s
frontend web
  bind 127.0.0.1:${port} ssl crt /run/plain/site.pem alpn h2,http/1.1
  default_backend app
backend app
  server app 127.0.0.1:${appPort}
`;
  return run(harness, 'peer', port, { 'haproxy.cfg': config, 'site.pem': pem });
}

/**
 * Starts an app that needs almost no time, so that the proxy in front of it is measured. The app returns 1 KiB for
 * every request, with a cookie at `/cookie`, and also with the dashboard's session cookie at `/session`.
 */
export async function startQuickApp(harness: ProxyHarness): Promise<Plain> {
  const port = await freePort();
  const body = 'x'.repeat(1024);
  const config = `defaults
  mode http
  timeout connect 3s
  timeout client 60s
  timeout server 60s
frontend app
  bind 127.0.0.1:${port}
  http-request return status 200 content-type text/plain string "${body}" hdr Set-Cookie a=1 if { path /cookie }
  http-request return status 200 content-type text/plain string "${body}" hdr Set-Cookie a=1 hdr Set-Cookie davit_session=1 if { path /session }
  http-request return status 200 content-type text/plain string "${body}"
`;
  return run(harness, 'app', port, { 'haproxy.cfg': config });
}

async function run(harness: ProxyHarness, name: string, port: number, files: Record<string, string>): Promise<Plain> {
  const folder = join(harness.dataDir, name);
  await mkdir(folder);
  for (const [file, content] of Object.entries(files)) await writeFile(join(folder, file), content);
  const body = {
    Image: await ensureProxyImage(harness.docker, null),
    Entrypoint: ['haproxy'],
    Cmd: ['-W', '-db', '-f', '/run/plain/haproxy.cfg'],
    User: '0:0',
    Labels: { 'davit.instance': harness.davitId },
    HostConfig: { NetworkMode: 'host', Mounts: [{ Type: 'bind', Source: folder, Target: '/run/plain' }] },
  };
  const query = { name: `davit-${harness.davitId}-plain-${name}` };
  const call = { doing: `create ${name}`, method: 'POST', path: '/containers/create', query, body } as const;
  const { Id } = await harness.docker.call<{ Id: string }>(call);
  await harness.docker.call({ doing: `start ${name}`, method: 'POST', path: `/containers/${Id}/start` });
  await until(`${name} answers`, async () => {
    const pending = harness.get('localhost', name === 'app' ? { port } : { port, secure: true });
    return (await pending.catch(() => null))?.status === 200;
  });
  return { port };
}
