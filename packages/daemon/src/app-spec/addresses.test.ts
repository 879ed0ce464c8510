import assert from 'node:assert/strict';
import test from 'node:test';
import { pickAddresses } from './addresses.ts';

const network = { firstAddress: '10.208.3.10', lastAddress: '10.208.3.13' };

test('addresses are given in turn, so that a freed one rests as long as possible', () => {
  assert.deepEqual(pickAddresses(network, [], null, 2), ['10.208.3.10', '10.208.3.11']);
  assert.deepEqual(pickAddresses(network, ['10.208.3.11'], '10.208.3.11', 2), ['10.208.3.12', '10.208.3.13']);
});

test('after the last comes the first, and taken ones are passed over', () => {
  assert.deepEqual(pickAddresses(network, ['10.208.3.13', '10.208.3.10'], '10.208.3.13', 1), ['10.208.3.11']);
});

test('too few free addresses give none at all', () => {
  assert.equal(pickAddresses(network, ['10.208.3.10', '10.208.3.11', '10.208.3.12'], null, 2), null);
});

test('an address of a network that was made anew elsewhere does not matter', () => {
  assert.deepEqual(pickAddresses(network, [], '10.208.9.12', 1), ['10.208.3.10']);
});
