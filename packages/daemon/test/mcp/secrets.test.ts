/** No tool returns credentials of databases, object stores and installations to an agent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootDaemon, app as newApp } from '@davit/testkit';
import { TOOLS } from '../../src/mcp/tools.ts';
import { callTool } from '../support/agent.ts';
import { createAttachedResources, STORE_KEYS } from '../support/resources-setup.ts';

test('read tools return no database password, object store key or installation secret', async () => {
  await using daemon = await bootDaemon();
  const app = await newApp(daemon);
  const made = await createAttachedResources(daemon, app);
  const environment = { project: app.project, environment: app.environment };
  const { password } = await daemon.client.getDatabaseCredentials({
    params: { ...environment, database: made.database ?? '' },
  });
  const answers = await daemon.client.getTemplateInstallSecrets({ params: { install: made.install ?? '' } });
  const { secret_key } = await daemon.client.getObjectStoreCredentials({
    params: { object_store: made.object_store ?? '' },
  });
  const secrets = [password, STORE_KEYS.secret_key, secret_key, ...Object.values(answers.secrets)];
  assert.ok(secrets.every((secret) => secret.length > 10));
  const reference = `${app.project}/${app.environment}/${made.database}`;
  const container = daemon.engine.controls.containers().find((one) => one.app === reference);
  daemon.engine.controls.writeLog(container?.id ?? '', `FATAL: wrong password ${password} for user`);

  const texts: string[] = [];
  for (const { name, reference: kind, path, operation } of TOOLS) {
    if (operation.effect !== 'read') continue;
    const targets = {
      app: app.reference,
      database: reference,
      environment: `${app.project}/production`,
      project: app.project,
    };
    const own = Object.fromEntries(path.map((one) => [one, made[one] ?? '1']));
    texts.push(JSON.stringify(await callTool(daemon, name, { ...(kind && { [kind]: targets[kind] }), ...own })));
  }

  for (const secret of secrets) assert.ok(!texts.join('\n').includes(secret));
  assert.match(texts.join('\n'), /wrong password \[secret password\] for user/);
});
