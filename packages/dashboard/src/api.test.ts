import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import { MutationObserver } from '@tanstack/react-query';
import { queryClient } from './api.ts';

it('keeps nothing of what was sent and answered once its form is closed', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const mutationFn = async (sent: { password: string }) => ({ ...sent, key: 'davit_key' });
  const form = new MutationObserver(queryClient, { mutationFn });
  const close = form.subscribe(() => undefined);
  const kept = () => queryClient.getMutationCache().getAll();

  await form.mutate({ password: 'generated' });
  assert.equal(kept().length, 1);
  close();
  mock.timers.tick(1);

  assert.deepEqual(kept(), []);
  mock.timers.reset();
});
