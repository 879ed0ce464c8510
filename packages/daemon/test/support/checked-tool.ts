import assert from 'node:assert/strict';
import type { TestDaemon } from '@davit/testkit';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { listedWithOutput } from '../../src/mcp/schemas.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { callTool, said } from './agent.ts';

export const ajv = new Ajv2020({ strict: false, validateFormats: false });

const validators = new Map<string, ValidateFunction>(
  TOOLS.map((tool) => [tool.name, ajv.compile(listedWithOutput(tool).outputSchema)]),
);

/** Calls a tool that must succeed, and validates its result with its declared output schema. */
export async function checkedTool<T = Record<string, unknown>>(
  daemon: TestDaemon,
  name: string,
  args: Record<string, unknown> = {},
): Promise<T> {
  const result = await callTool(daemon, name, args);
  assert.ok(!result.isError, `${name}: ${said(result)}`);
  const validate = validators.get(name);
  assert.ok(validate?.(result.structuredContent), `${name}: ${JSON.stringify(validate?.errors)}`);
  return result.structuredContent as T;
}
