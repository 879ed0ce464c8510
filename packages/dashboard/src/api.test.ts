import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import { MutationObserver } from '@tanstack/react-query';
import { headersOf, query, queryClient } from './api.ts';

it('the request and response of a mutation are discarded after its form is closed', async () => {
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

it('response headers are kept when an event updates the cached response', async () => {
  const link = '</api/x?cursor=2>; rel="next"';
  const fetched = mock.method(globalThis, 'fetch', async () => {
    return new Response('[{"id":1}]', { headers: { 'content-type': 'application/json', link } });
  });
  const { queryKey, ...options } = query('listRecentDeployments', {});
  await queryClient.fetchQuery({ queryKey, ...options });

  queryClient.setQueryData(queryKey, [{ id: 2 }] as never);

  assert.equal(headersOf(queryClient.getQueryData(queryKey))?.get('link'), link);
  fetched.mock.restore();
  queryClient.clear();
});
