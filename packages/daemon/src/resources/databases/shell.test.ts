import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { userProgram } from './dialects/dialect.ts';
import { DIALECTS } from './dialects/index.ts';

const login = { username: 'shop', password: 'correct-horse-44', database: 'main' };

describe('the client program for a shell of a user', () => {
  for (const [engine, dialect] of Object.entries(DIALECTS)) {
    const { command, env = {}, user } = userProgram(dialect.shell(login));

    it(`has the password of ${engine} in one variable and not in its arguments`, () => {
      assert.ok(!command.join(' ').includes(login.password));
      assert.equal(Object.values(env).filter((value) => value === login.password).length, 1);
      assert.ok(!JSON.stringify([command, env]).includes('davit_admin'));
    });

    it(`does not run as a user of ${engine} or of Davit`, () => {
      const [uid, gid] = (user ?? '').split(':').map(Number);
      for (const id of [uid, gid])
        assert.ok(id !== undefined && id > 1_000 && id < 65_534 && id !== dialect.uid, `${user}`);
    });
  }
});
