import assert from 'node:assert/strict';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import type { Stage } from './rig.ts';
import { codeOf, soon } from './rig.ts';

export const registryPromises: Record<string, (stage: Stage) => Promise<void>> = {
  'accepts valid credentials for a registry': async ({ engine, rig }) => {
    await engine.checkRegistry(rig.registry.host, rig.registry.auth, soon());
  },

  'reports refused registry credentials without including the password in the error': async ({ engine, rig }) => {
    const wrong = { username: rig.registry.auth.username, password: rig.registry.wrongPassword };

    await assert.rejects(engine.checkRegistry(rig.registry.host, wrong, soon()), (error) => {
      assert.equal(codeOf(error), 'registry_unauthorized', String(error));
      assert.ok(error instanceof EngineRefused);
      assert.ok(!error.message.includes(wrong.password));
      return true;
    });
  },

  'rejects a registry check with the reason of its aborted signal': async ({ engine, rig }) => {
    const reason = new Error('called off');

    const checking = engine.checkRegistry(rig.registry.host, rig.registry.auth, AbortSignal.abort(reason));

    await assert.rejects(checking, reason);
  },
};
