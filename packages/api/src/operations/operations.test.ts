import assert from 'node:assert/strict';
import test from 'node:test';
import { z } from 'zod';
import { mayReturnSecrets } from '../operation.ts';
import { allOperations } from './index.ts';

const creating = allOperations.filter(({ responses }) => 201 in responses);

test('every create operation has a matching GET operation and a Location header', () => {
  for (const { id, path, responses } of creating) {
    const reads = allOperations.some(
      ({ method, path: of }) => method === 'GET' && of.replace(/\/\{\w+\}$/, '') === path,
    );
    assert.ok(reads, `${id} has no GET of one thing below ${path}: declare one, and answer its address`);
    assert.ok(
      'Location' in ((responses as Record<number, { headers?: object }>)[201]?.headers ?? {}),
      `${id}: Location`,
    );
  }
});

test('every operation with a deploy or detach flag names the flag in askedBy', () => {
  for (const { id, query, responses } of allOperations) {
    const flag = ['deploy', 'detach'].find((name) => Object.hasOwn(query?.shape ?? {}, name));
    const [requestedBy] = Object.values(responses as Record<number, { askedBy?: string }>).flatMap(
      (one) => one.askedBy ?? [],
    );
    assert.equal(requestedBy, flag, `${id}: set askedBy of its 202`);
  }
});

/** Response fields that contain passwords, access keys or values of variables. */
const SECRET_FIELDS = ['password', 'secret_key', 'vars', 'effective'];

/** Returns the names of all fields in a response, also in nested objects and lists. */
function fieldsOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, field]) => [name, ...fieldsOf(field as z.ZodType)]);
  }
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element as z.ZodType);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return fieldsOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => fieldsOf(option as z.ZodType));
  return [];
}

test('every operation that returns a password, an access key or values of variables is marked', () => {
  const returning = allOperations.filter(({ responses }) =>
    Object.values(responses).some(
      ({ schema }) => schema !== undefined && fieldsOf(schema).some((name) => SECRET_FIELDS.includes(name)),
    ),
  );

  const unmarked = returning.filter((operation) => !mayReturnSecrets(operation)).map(({ id }) => id);
  assert.ok(returning.length > 10, `${returning.length} operations`);
  assert.deepEqual(unmarked, [], 'set returnsSecrets of the operation');
});

test('operations with text of apps are marked, and operations with public templates are not', () => {
  const marked = (id: string) => allOperations.some((one) => one.id === id && mayReturnSecrets(one));

  for (const id of ['getAppLogs', 'getDatabaseLogs', 'getRun', 'getTemplateInstallSecrets', 'presignObject'])
    assert.ok(marked(id), id);
  for (const id of ['listApps', 'listTemplates', 'getTemplate', 'listDeployments', 'listAudit'])
    assert.ok(!marked(id), id);
});
