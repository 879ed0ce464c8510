import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { grant, parseScope, pushedTo, splitScopes } from './registry-scope.ts';

const APP = 'shop/production/web';

describe('registry scopes', () => {
  it('parseScope reads an app repository and drops unknown actions', () => {
    assert.deepEqual(parseScope(`repository:${APP}:pull,push`), { repository: APP, actions: ['pull', 'push'] });
    assert.deepEqual(parseScope(`repository:${APP}:push,pull,push`), { repository: APP, actions: ['pull', 'push'] });
    assert.deepEqual(parseScope(`repository:${APP}:delete,*,Pull, push`), { repository: APP, actions: [] });
    assert.deepEqual(parseScope(`repository:${APP}:`), { repository: APP, actions: [] });
  });

  it('parseScope returns null for an invalid scope or repository', () => {
    for (const scope of [
      '',
      'repository',
      'registry:catalog:*',
      `repository(plugin):${APP}:pull`,
      `Repository:${APP}:pull`,
      'repository:shop/production:pull',
      'repository:shop/production/web/x:pull',
      'repository:Shop/production/web:pull',
      'repository:shop/../web:pull',
      'repository:shop/production/../../web:pull',
      'repository:localhost:5000/shop/production/web:pull',
      'repository:shop//web:pull',
      `repository:/${APP}:pull`,
      `repository:${APP}\n:pull`,
      `repository:${APP}:pull:push`,
      'repository:shop%2Fproduction%2Fweb:pull',
    ]) {
      assert.equal(parseScope(scope), null, scope);
    }
  });

  it('splitScopes reads several scopes and refuses more than twenty', () => {
    assert.deepEqual(splitScopes(['a b', 'b', ' c  ']), ['a', 'b', 'c']);
    assert.deepEqual(splitScopes([]), []);
    assert.equal(splitScopes([Array.from({ length: 20 }, (_, i) => `s${i}`).join(' ')])?.length, 20);
    assert.equal(splitScopes([Array.from({ length: 21 }, (_, i) => `s${i}`).join(' ')]), null);
  });

  it('grant returns only allowed actions, with a single entry for each repository', () => {
    const allowed = (repository: string) => (repository === APP ? (['pull'] as const) : []);

    const scopes = [`repository:${APP}:pull,push`, `repository:${APP}:pull`, 'repository:a/b/c:pull', 'x'];

    assert.deepEqual(grant(scopes, allowed), [{ repository: APP, actions: ['pull'] }]);
    assert.deepEqual(grant([`repository:${APP}:push`], allowed), []);
  });

  it('pushedTo returns the repository of a push scope, even for invalid apps', () => {
    assert.equal(pushedTo('repository:web:pull,push'), 'web');
    assert.equal(pushedTo('repository:host:5000/web:push'), 'host:5000/web');
    assert.equal(pushedTo(`repository:${APP}:pull`), null);
    assert.equal(pushedTo('registry:catalog:push'), null);
  });
});
