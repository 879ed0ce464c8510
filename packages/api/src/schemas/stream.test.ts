import assert from 'node:assert/strict';
import test from 'node:test';
import { openApiDocument } from '../openapi.ts';
import { EVENT_KINDS } from './event.ts';
import { EventMessage } from './stream.ts';

const AT = '2026-01-01T00:00:00.000Z';

test('EventMessage has a member for every event kind, log and reset', () => {
  const events = EventMessage.options.map(({ shape }) => shape.event.value);

  assert.deepEqual(events.toSorted(), [...EVENT_KINDS, 'log', 'reset'].toSorted());
});

test('the OpenAPI document uses the event name as the discriminator of EventMessage', () => {
  const { components } = openApiDocument('1.0.0') as {
    components: {
      schemas: Record<string, { oneOf?: unknown[]; discriminator?: { propertyName: string; mapping: object } }>;
    };
  };
  const { oneOf, discriminator } = components.schemas.EventMessage ?? assert.fail();

  assert.equal(discriminator?.propertyName, 'event');
  assert.equal(Object.keys(discriminator.mapping).length, oneOf?.length);
});

test('EventMessage accepts only data that matches the kind of the event', () => {
  const resource = { seq: 1, at: AT, kind: 'database', reference: 'a/b/c', change: 'created' };

  assert.ok(EventMessage.safeParse({ event: 'resource', data: resource }).success);
  assert.ok(!EventMessage.safeParse({ event: 'task', data: resource }).success);
  assert.ok(!EventMessage.safeParse({ event: 'resource', data: { ...resource, change: 'other' } }).success);
});
