/** Tests that the rights for a tool equal the rights for its API operation, with the same error messages. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type OperationId, ROLES, type Role } from '@davit/api';
import { bootDaemon, deployedApp, keyFor, project, user } from '@davit/testkit';
import { REFERENCES, TOOLS, type Tool, targetOf, toolArguments } from '../../src/mcp/tools.ts';
import { callTool, connect, said } from '../support/agent.ts';
import { createAttachedResources } from '../support/resources-setup.ts';
import { NAMES, WHO_MAY } from '../support/who-may.ts';

const daemon = await bootDaemon();
after(() => daemon[Symbol.asyncDispose]());
const { app: own, deployment } = await deployedApp(daemon, { project: await project(daemon, 'own-project') });
const other = await project(daemon, 'other-project');
const names: Record<string, string> = {
  ...NAMES,
  ...(await createAttachedResources(daemon, own)),
  project: own.project,
  environment: own.environment,
  app: own.name,
  deployment: String(deployment.id),
};
const missing = { ...names, project: 'missing-project' };

interface Caller {
  name: string;
  role: Role;
  sees: boolean;
  /** Whether the caller has access to all projects. */
  seesAll: boolean;
  key: string;
}

const CALLERS: Caller[] = [
  ...ROLES.flatMap((role) => [
    { name: `a ${role} of all projects`, role, sees: true, seesAll: true, key: user(daemon, role).key },
    { name: `a ${role} of this project`, role, sees: true, seesAll: false, key: user(daemon, role, [own.project]).key },
    { name: `a ${role} of another`, role, sees: false, seesAll: false, key: user(daemon, role, [other]).key },
  ]),
  {
    name: 'an admin’s key for a member of this project',
    role: 'member',
    sees: true,
    seesAll: false,
    key: keyFor(daemon, { id: 1, role: 'member' }, { projects: [own.project] }),
  },
];

const FAULT = 'not-a-field';

/** Returns arguments with an error that is found after all checks of rights, so nothing changes. */
function faulty(tool: Tool, values: Record<string, string>): Record<string, unknown> {
  const { reference, path } = tool;
  const target = reference === null ? null : REFERENCES[reference].names.map((name) => values[name]).join('/');
  return {
    ...(reference !== null && { [reference]: target }),
    ...Object.fromEntries(path.map((name) => [name, values[name]])),
    ...(toolArguments(tool).includes('confirm') && { confirm: target ?? values[targetOf(tool) ?? ''] }),
    [FAULT]: 1,
  };
}

/** Sends such a request to the operation of the tool. */
async function route({ operation }: Tool, values: Record<string, string>, key: string) {
  const path = `/api${operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'none')}`;
  if (operation.body) return daemon.call(operation.method, path, { [FAULT]: 1 }, key);
  return daemon.call(operation.method, `${path}?${FAULT}=1`, undefined, key);
}

/** Returns the expected status according to the table. */
function expected({ least, of }: (typeof WHO_MAY)[OperationId], { role, sees }: Caller): number {
  if (of === 'project' && !sees) return 404;
  return ROLES.indexOf(role) >= ROLES.indexOf(least) ? 400 : 403;
}

describe('every MCP tool', () => {
  for (const caller of CALLERS) {
    it(`returns the same error as its API operation for ${caller.name}`, async () => {
      const differences: string[] = [];
      for (const tool of TOOLS) {
        // A resource that a caller cannot see gets the same response as a missing resource.
        for (const values of caller.sees ? [names] : [names, missing]) {
          const result = await callTool(daemon, tool.name, faulty(tool, values), caller.key);
          const { status, text } = await route(tool, values, caller.key);
          const reported = /^(\d+) \w+: (.*)$/s.exec(said(result));
          if (!result.isError || reported?.[1] !== String(status) || `${reported[2]}\n` !== text) {
            differences.push(`${tool.name}: ${said(result).slice(0, 100)} ≠ ${status} ${text}`);
          }
          if (values === names)
            assert.equal(status, expected(WHO_MAY[tool.operation.id as OperationId], caller), tool.name);
        }
      }
      assert.deepEqual(differences, []);
    });

    it(`is listed for ${caller.name} only with sufficient role and project access`, async () => {
      await using client = await connect(daemon, caller.key, '2026-07-28', { query: '?tools=all' });
      const listed = (await client.listTools()).tools.map(({ name }) => name);
      const own = TOOLS.filter(({ operation, mark }) => {
        const isEnough = ROLES.indexOf(caller.role) >= ROLES.indexOf(WHO_MAY[operation.id as OperationId].least);
        return isEnough && (mark.everywhere !== true || caller.seesAll);
      });
      assert.deepEqual(
        listed,
        own.map(({ name }) => name),
      );
    });
  }

  it('refuses an admin of some projects if access to all projects is required', async () => {
    const everywhere = TOOLS.filter(({ mark }) => mark.everywhere);
    const limited = CALLERS.find(({ role, seesAll }) => role === 'admin' && !seesAll);
    assert.deepEqual(
      everywhere.map(({ name }) => name),
      ['create_project'],
    );
    const result = await callTool(daemon, 'create_project', { slug: 'mine' }, limited?.key);
    assert.match(said(result), /^403 forbidden: Your access is limited to certain projects/);
  });
});
