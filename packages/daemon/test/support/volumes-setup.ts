import assert from 'node:assert/strict';
import type { App, AppVolume, Volume } from '@davit/api';
import { bootDaemon, paramsOf } from '@davit/testkit';

/** A daemon whose time passes only on request, and requests about volumes. */
export async function volumesSetup() {
  let clock = Date.parse('2026-01-01T00:00:00Z');
  const daemon = await bootDaemon({ now: () => clock++ });
  const at = (app: App) => `/api/apps/${app.reference}/volumes`;
  const every = async (key = daemon.key) =>
    JSON.parse((await daemon.call('GET', '/api/volumes', undefined, key)).text) as Volume[];
  return {
    daemon,
    /** Returns the time in milliseconds since the epoch. */
    now: () => clock,
    pass: (ms: number) => {
      clock += ms;
    },
    /** Returns the path of an app's volumes. */
    at,
    add: async (app: App, path: string, adopt?: string): Promise<AppVolume> => {
      const { status, text } = await daemon.call('POST', at(app), { path, ...(adopt !== undefined && { adopt }) });
      assert.equal(status, 201, text);
      return JSON.parse(text) as AppVolume;
    },
    remove: (app: App, { id, name }: AppVolume) => daemon.call('DELETE', `${at(app)}/${id}?confirm=${name}`),
    read: (app: App): Promise<App> => daemon.client.getApp({ params: paramsOf(app) }),
    deploy: (app: App) => daemon.call('POST', `/api/apps/${app.reference}/deploy?wait=true`, { tag: 'v1' }),
    /** Returns the volumes that the owner of the key sees. */
    every,
    find: async (name: string) => (await every()).find((volume) => volume.name === name),
    /** Returns the mounts of an app's newest container. */
    mounted: (app: App) =>
      daemon.engine.controls
        .containers()
        .filter((c) => c.app === app.reference && c.state === 'running')
        .at(-1)?.volumes,
  };
}
