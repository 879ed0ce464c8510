import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { grant, parseScope, pushedTo, splitScopes } from './registry-scope.ts';

const APP = 'shop/production/web';

describe('a scope', () => {
  it('is of one app and of actions that there are', () => {
    assert.deepEqual(parseScope(`repository:${APP}:pull,push`), { repository: APP, actions: ['pull', 'push'] });
    assert.deepEqual(parseScope(`repository:${APP}:push,pull,push`), { repository: APP, actions: ['pull', 'push'] });
    assert.deepEqual(parseScope(`repository:${APP}:delete,*,Pull, push`), { repository: APP, actions: [] });
    assert.deepEqual(parseScope(`repository:${APP}:`), { repository: APP, actions: [] });
  });

  it('of anything else is none', () => {
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

  it('comes in several parameters, and several in one', () => {
    assert.deepEqual(splitScopes(['a b', 'b', ' c  ']), ['a', 'b', 'c']);
    assert.deepEqual(splitScopes([]), []);
    assert.equal(splitScopes([Array.from({ length: 20 }, (_, i) => `s${i}`).join(' ')])?.length, 20);
    assert.equal(splitScopes([Array.from({ length: 21 }, (_, i) => `s${i}`).join(' ')]), null);
  });

  it('is granted as far as it is allowed, once a repository', () => {
    const allowed = (repository: string) => (repository === APP ? (['pull'] as const) : []);

    const scopes = [`repository:${APP}:pull,push`, `repository:${APP}:pull`, 'repository:a/b/c:pull', 'x'];

    assert.deepEqual(grant(scopes, allowed), [{ repository: APP, actions: ['pull'] }]);
    assert.deepEqual(grant([`repository:${APP}:push`], allowed), []);
  });

  it('that asks to push is told from others, even to what no app can be', () => {
    assert.equal(pushedTo('repository:web:pull,push'), 'web');
    assert.equal(pushedTo('repository:host:5000/web:push'), 'host:5000/web');
    assert.equal(pushedTo(`repository:${APP}:pull`), null);
    assert.equal(pushedTo('registry:catalog:push'), null);
  });
});
